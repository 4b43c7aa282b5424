/* localStorage for values that JSON can hold. A browser may deny it or be out of room: reading then gives the
   fallback, writing says false, and the page works without memory. */

const prefix = "aviation-agent:";

export function read(key, fallback = null) {
	try {
		const text = localStorage.getItem(prefix + key);
		return text === null ? fallback : JSON.parse(text);
	} catch {
		return fallback;
	}
}

export function write(key, value) {
	try {
		localStorage.setItem(prefix + key, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}

export function forget(key) {
	try {
		localStorage.removeItem(prefix + key);
	} catch {
		/* Nothing could be stored, so nothing has to go. */
	}
}
