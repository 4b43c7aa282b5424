/* Numbers as a pilot reads them, in the units and the language of the person. The data is in NM and feet. */

const km = 1.852, metre = 0.3048;

export function createUnits({ settings, t }) {
	const metric = () => settings.get("units") === "metric";
	const whole = new Intl.NumberFormat(t.language, { maximumFractionDigits: 0 });
	const fine = new Intl.NumberFormat(t.language, { maximumFractionDigits: 1 });
	const near = value => (value < 10 ? fine : whole).format(value);
	const known = (value, text) => Number.isFinite(value) ? text(value) : "";
	return {
		/* Of nautical miles; "" if it is not known. */
		distance: nm => known(nm, v => metric() ? near(v * km) + " km" : near(v) + " NM"),
		/* A length or a height, of feet. */
		feet: ft => known(ft, v => metric() ? whole.format(v * metre) + " m" : whole.format(v) + " ft"),
		percent: share => known(share, v => whole.format(v * 100) + " %"),
	};
}

/* 48.8566 → 48°51.4′N */
export function angle(degrees, positive, negative) {
	const size = Math.abs(degrees);
	let whole = Math.floor(size), minutes = Math.round((size - whole) * 600) / 10;
	if (minutes === 60) [whole, minutes] = [whole + 1, 0];
	return `${whole}°${minutes.toFixed(1).padStart(4, "0")}′${degrees < 0 ? negative : positive}`;
}

export const position = (lat, lon) => angle(lat, "N", "S") + " " + angle(lon, "E", "W");
