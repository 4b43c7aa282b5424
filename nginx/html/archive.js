/* What the answers of this browser showed on the map. The server keeps what was said, but not this, so an earlier
   conversation gets its map back from here. IndexedDB, because localStorage is too small; where it is denied, the
   map comes back only until the page is closed. */

const most = 200;
const memory = new Map();       /* run → {run, thread, at, payload} */
let opening = null;

const asPromise = request => new Promise((resolve, reject) => {
	request.onsuccess = () => resolve(request.result);
	request.onerror = () => reject(request.error);
});

function open() {
	opening ??= new Promise((resolve, reject) => {
		const request = indexedDB.open("aviation-agent", 1);
		request.onupgradeneeded = () => {
			const store = request.result.createObjectStore("payloads", { keyPath: "run" });
			store.createIndex("thread", "thread");
			store.createIndex("at", "at");
		};
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
		request.onblocked = () => reject(new Error("another tab blocks the archive"));
	});
	return opening;
}

async function stored(mode, work) {
	try {
		const db = await open();
		return await work(db.transaction("payloads", mode).objectStore("payloads"));
	} catch {
		return null;
	}
}

export async function keep(thread, run, payload) {
	const row = { run, thread, at: Date.now(), payload };
	memory.set(run, row);
	await stored("readwrite", async store => {
		await asPromise(store.put(row));
		const surplus = await asPromise(store.count()) - most;
		if (surplus > 0)
			for (const old of await asPromise(store.index("at").getAllKeys(null, surplus))) store.delete(old);
	});
}

/* All payloads of a thread: run → payload. They were checked before they were kept, but are checked again by whoever
   draws them: an older version of the page may have written them. */
export async function ofThread(thread) {
	const rows = await stored("readonly", store => asPromise(store.index("thread").getAll(thread))) ?? [];
	return new Map([...[...memory.values()].filter(r => r.thread === thread), ...rows].map(r => [r.run, r.payload]));
}

export async function drop(thread) {
	for (const row of [...memory.values()]) if (row.thread === thread) memory.delete(row.run);
	await stored("readwrite", async store => {
		for (const key of await asPromise(store.index("thread").getAllKeys(thread))) store.delete(key);
	});
}
