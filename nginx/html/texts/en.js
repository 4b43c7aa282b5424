/* English. The keys are the same in all languages; {name} is filled in. */
export default {
	/* -- the page -- */
	"page.title": "Aviation agent",
	"page.skip": "Skip to the conversation",
	"page.views": "Views",
	"page.chat": "Chat",
	"page.map": "Map",
	"page.side": "Details",
	"page.list": "Airports",
	"page.details": "Airport",
	"page.rules": "Rules",
	"page.close": "Close the panel",
	"page.open": "Show the panel",
	"page.new": "new",
	"page.print": "Print",
	"page.missing-file": "{file} is missing on this site, so {part} does not work. The operator can install it with scripts/page-libraries.",
	"page.broken-part": "{part} could not be loaded. Please load the page again.",

	/* -- settings -- */
	"settings.title": "Settings",
	"settings.done": "Done",
	"settings.persona": "Kind of pilot",
	"settings.persona.": "The site's default",
	"settings.units": "Units",
	"settings.units.aviation": "NM, ft, kt",
	"settings.units.metric": "km, m, km/h",
	"settings.theme": "Colours",
	"settings.theme.auto": "As in the system",
	"settings.theme.light": "Light",
	"settings.theme.dark": "Dark",
	"settings.language": "Language",
	"settings.language.auto": "As in the browser",
	"settings.language.en": "English",
	"settings.language.fr": "Français",
	"settings.language.de": "Deutsch",

	/* -- the chat -- */

	/* -- the map -- */

	/* -- an airport -- */

	/* -- the rules -- */
};
