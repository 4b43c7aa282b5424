/* French. The keys are the same in all languages; {name} is filled in. */
export default {
	/* -- the page -- */
	"page.title": "Agent aviation",
	"page.skip": "Aller à la conversation",
	"page.views": "Vues",
	"page.chat": "Discussion",
	"page.map": "Carte",
	"page.side": "Détails",
	"page.list": "Aérodromes",
	"page.details": "Aérodrome",
	"page.rules": "Règles",
	"page.close": "Fermer le panneau",
	"page.open": "Afficher le panneau",
	"page.new": "nouveau",
	"page.print": "Imprimer",
	"page.missing-file": "Le fichier {file} manque sur ce site ; {part} ne fonctionne donc pas. L’exploitant peut l’installer avec scripts/page-libraries.",
	"page.broken-part": "{part} : chargement impossible. Veuillez recharger la page.",

	/* -- settings -- */
	"settings.title": "Réglages",
	"settings.done": "Terminé",
	"settings.persona": "Type de pilote",
	"settings.persona.": "Par défaut du site",
	"settings.units": "Unités",
	"settings.units.aviation": "NM, ft, kt",
	"settings.units.metric": "km, m, km/h",
	"settings.theme": "Couleurs",
	"settings.theme.auto": "Comme le système",
	"settings.theme.light": "Clair",
	"settings.theme.dark": "Sombre",
	"settings.language": "Langue",
	"settings.language.auto": "Comme le navigateur",
	"settings.language.en": "English",
	"settings.language.fr": "Français",
	"settings.language.de": "Deutsch",

	/* -- the chat -- */

	/* -- the map -- */

	/* -- an airport -- */

	/* -- the rules -- */
};
