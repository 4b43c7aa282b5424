/* Sets the chosen theme before the first paint. It is no module, because modules run too late for that. */
"use strict";
try {
	const { theme } = JSON.parse(localStorage.getItem("aviation-agent:settings")) || {};
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
	/* Storage is denied or holds something else: the theme of the system is used. */
}
