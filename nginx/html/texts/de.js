/* German. The keys are the same in all languages; {name} is filled in. */
export default {
	/* -- the page -- */
	"page.title": "Flug-Assistent",
	"page.skip": "Zum Gespräch springen",
	"page.views": "Ansichten",
	"page.chat": "Gespräch",
	"page.map": "Karte",
	"page.side": "Einzelheiten",
	"page.list": "Flugplätze",
	"page.details": "Flugplatz",
	"page.rules": "Regeln",
	"page.close": "Bereich schließen",
	"page.open": "Bereich zeigen",
	"page.new": "neu",
	"page.print": "Drucken",
	"page.missing-file": "Auf dieser Website fehlt {file}, deshalb geht dieser Teil nicht: {part}. Der Betreiber kann die Datei mit scripts/page-libraries installieren.",
	"page.broken-part": "{part}: konnte nicht geladen werden. Bitte laden Sie die Seite neu.",

	/* -- settings -- */
	"settings.title": "Einstellungen",
	"settings.done": "Fertig",
	"settings.persona": "Art des Piloten",
	"settings.persona.": "Vorgabe der Website",
	"settings.units": "Einheiten",
	"settings.units.aviation": "NM, ft, kt",
	"settings.units.metric": "km, m, km/h",
	"settings.theme": "Farben",
	"settings.theme.auto": "Wie im System",
	"settings.theme.light": "Hell",
	"settings.theme.dark": "Dunkel",
	"settings.language": "Sprache",
	"settings.language.auto": "Wie im Browser",
	"settings.language.en": "English",
	"settings.language.fr": "Français",
	"settings.language.de": "Deutsch",

	/* -- the chat -- */

	/* -- the map -- */

	/* -- an airport -- */

	/* -- the rules -- */
};
