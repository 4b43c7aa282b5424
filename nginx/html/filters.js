/* The filters of a question, in words. */
const known = new Set(["has_avgas", "has_jet_a", "has_fuel", "hotel", "restaurant", "has_procedures", "has_hard_runway", "has_aip_data",
	"point_of_entry", "min_runway_length_ft", "max_runway_length_ft", "max_landing_fee", "max_hours_notice", "country"]);

export const filterName = (t, name) => known.has(name) ? t("filter." + name) : name.replaceAll("_", " ");
