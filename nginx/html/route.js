/* The line of a route with the corridor that was searched, or the circle around a place. */
import { beside, circle, corridor, distance, line } from "./geo.js";

const drawnRadiusMost = 3000;

const latLngs = points => points.map(p => [p.lat, p.lon]);
const known = end => end.lat !== null && end.lon !== null;

/* The longitude next to which everything of an answer is drawn: the middle of its route, its place, or its first
   airport. */
export function middle(answer) {
	const { route, point, fits, unrecorded } = answer;
	if (route && known(route.from) && known(route.to)) {
		const points = line(route.from, route.to);
		return points[points.length >> 1].lon;
	}
	return point?.lon ?? fits[0]?.lon ?? unrecorded[0]?.lon ?? 0;
}

export function createRoute(L, map) {
	const pane = map.createPane("routes");
	pane.style.zIndex = 430;
	pane.style.pointerEvents = "none";
	const renderer = L.canvas({ pane: "routes", padding: .3 });
	const group = L.layerGroup().addTo(map);
	const common = { renderer, pane: "routes", interactive: false, smoothFactor: 0 };

	function area(points, palette) {
		group.addLayer(L.polygon(latLngs(points), { ...common, color: palette.accent, weight: 1.5, opacity: .55, dashArray: "5 6",
			fillColor: palette.accent, fillOpacity: .06 }));
	}

	return {
		/* Gives the corners of what it has drawn, for the view, and the length of the route in NM or null. */
		show(answer, by, palette) {
			group.clearLayers();
			const { route, point, radiusNm } = answer, near = radiusNm > 0 && radiusNm <= drawnRadiusMost;
			if (route && known(route.from) && known(route.to)) {
				const from = { ...route.from, lon: beside(route.from.lon, by) };
				const points = line(from, route.to);
				if (near) area(corridor(points, radiusNm), palette);
				group.addLayer(L.polyline(latLngs(points), { ...common, smoothFactor: 1, color: palette.back, weight: 6, opacity: .9 }));
				group.addLayer(L.polyline(latLngs(points), { ...common, smoothFactor: 1, color: palette.accent, weight: 3 }));
				return { corners: latLngs(points), nm: distance(route.from, route.to) };
			}
			if (point) {
				const centre = { lat: point.lat, lon: beside(point.lon, by) };
				const edge = near ? circle(centre, radiusNm) : [centre];
				if (near) area(edge, palette);
				const [lat, lon] = [centre.lat, centre.lon];
				group.addLayer(L.circleMarker([lat, lon], { ...common, radius: 9, color: palette.back, weight: 5, fill: false }));
				group.addLayer(L.circleMarker([lat, lon], { ...common, radius: 9, color: palette.accent, weight: 2.5, fill: false }));
				group.addLayer(L.circleMarker([lat, lon], { ...common, radius: 2.5, color: palette.accent, weight: 2, fillOpacity: 1 }));
				return { corners: latLngs(edge), nm: null };
			}
			return { corners: [], nm: null };
		},
	};
}
