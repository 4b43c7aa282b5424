/* The one channel between the parts of the page. No part calls another one: it emits an event, and whoever
   needs it listens.

   turn:start      {id, question}            a question was sent
   turn:payload    {id, payload, again}      what the answer shows on the map; validated. again: somebody wants
                                             to see the map of an earlier answer
   turn:done       {id, runId, threadId, how}  the answer has ended; how: "done", "stopped", "refused",
                                             "unreachable" or "gone"
   thread:opened   {thread, payloads}        an earlier conversation; its last payload is drawn
   thread:new      {}                        an empty conversation
   airport:open    {ident, by}               show an airport's details; by: "user" or "answer"
   airport:closed  {}
   rules:show      {countries, tagsByCountry, categoriesByCountry}
   ask             {text}                    ask this as if somebody had typed it
   settings:changed {name, value}
   view:show       {name}                    show "chat", "map" or "side" on a phone, after a click
   panel:show      {panel, by}               open "list", "details" or "rules"; by: "user" or "answer"
   panel:count     {panel, count}            how many things a panel holds; shown on its tab
   map:changed     {}                        the map shows something new
   problem         {text}                    a sentence for the whole page, "" takes it away */

export function createBus() {
	const target = new EventTarget();
	return {
		emit(name, detail = {}) {
			target.dispatchEvent(new CustomEvent(name, { detail }));
		},
		/* Calls fn(detail) for each event of this name; returns a function that ends this. An error in one
		   listener reaches the console and no other listener. */
		on(name, fn) {
			const listener = event => fn(event.detail);
			target.addEventListener(name, listener);
			return () => target.removeEventListener(name, listener);
		},
	};
}
