/*
 * Rows of terms: visual and instrument flight, approaches, and the weather for it.
 */
#include "rules/synonyms.h"

static const struct synonym_row rows[] = {
	/* -- flying on instruments, and not quite -- */
	TOPIC("vfr", NULL,
	    "vfr|visual flight|visual flight rules|visually|visual|visual rules|"
	    "under visual rules"),
	TOPIC("ifr", NULL,
	    "ifr|instrument flight rules|instrument flight|on instruments|fly on instruments|"
	    "flying on instruments|instrument rules|under instrument rules"),
	TOPIC("ifr ifrstart", "join clearance",
	    "join ifr|joining ifr|going into ifr|go into ifr|change into ifr|into ifr|"
	    "start ifr|starting ifr|pick up ifr|picking up ifr|ifr pick up|"
	    "pick up an ifr clearance|pick up my ifr|pick up my ifr clearance|"
	    "pick up the ifr clearance|pick up ifr clearance|ifr join|join the ifr system|"
	    "join airways|joining airways|change to ifr|switch to ifr|switching to ifr|"
	    "vfr to ifr|transition to ifr|convert to ifr|activate ifr|pop up ifr|"
	    "airborne ifr|become ifr|zulu|zulu plan|z plan|zulu flight plan|z flight plan|"
	    "z fpl|zulu fpl|open ifr|begin ifr|get ifr clearance|get my ifr clearance|"
	    "get an ifr clearance"),
	TOPIC("ifr clearance", "ifrstart", "ifr clearance"),
	TOPIC("ifr", "ifrstart", "go ifr|going ifr"),
	/* a flight to a place on instruments ends with an approach there */
	TOPIC("ifr", "iap",
	    "ifr to|ifr into|fly ifr to|flying ifr to|ifr flight to|ifr flights to|arrive ifr|"
	    "arriving ifr|ifr arrival|ifr arrivals|land ifr|landing ifr"),
	PART("vfr ifrstart", NULL,
	    "depart vfr|departing vfr|leave vfr|leaving vfr|vfr departure|depart visually|"
	    "leaving visually|take off vfr|taking off vfr|in the climb"),
	PART("ifrstart", NULL, "start|starting|begin|commence|pick up|pick it up"),

	/* -- approaches -- */
	TOPIC("iap", NULL,
	    "iap|iaps|instrument approach|instrument approaches|"
	    "instrument approach procedure|ils|rnp|lpv|rnav|rnav approach|gps approach|"
	    "gnss approach|published approach|approach procedure|published procedure|"
	    "ndb approach|vor approach|instrument procedure|instrument arrival|rnp approach|"
	    "instrument runway|ils approach|published instrument approach|shoot an approach|"
	    "on an instrument approach|shoot the approach|shooting an approach|"
	    "shooting the approach|fly the approach"),
	PART("approach", NULL, "approach|approaching|approaches"),
	TOPIC("noiap", "iap diyiap",
	    "no procedure|no procedures|no procedure at all|without procedure|"
	    "without a procedure|nothing published|no published procedure|"
	    "no instrument approach|without instrument approach|"
	    "without an instrument approach|without iap|without iaps|no iap|no iaps|"
	    "no published approach|no approach|no approach procedure|"
	    "without published approach|without a published approach|without approach|"
	    "without any approach|no instrument procedure|no ils|without an ils|"
	    "without an approach|lacks an approach"),
	TOPIC("diyiap", "noiap iap",
	    "home brew|homebrew|home made approach|homemade approach|home made|homemade|diy|"
	    "diy approach|own approach|own let down|own letdown|own procedure|make up my own|"
	    "make up your own|unofficial approach|do it yourself|self made|"
	    "self designed approach|gps let down|gps letdown|discrete letdown"),
	TOPIC("cloudbreak", "iap",
	    "cloudbreak|cloud break|cloud break procedure|break cloud|breaking cloud|"
	    "break through|break out|breaking out|let down|letdown|descend through cloud|"
	    "descent through cloud|descend below cloud|get below cloud|get below|get visual|"
	    "become visual|going visual|go visual|once visual|when visual|visual transit|"
	    "vfr transit|continue visually|continue visual|underneath|carry on visually|"
	    "go on visually|carry on vfr|break off|break off visually|break off the approach|"
	    "finish visually|cloud breaking|visually to|scud run|scud running|"
	    "proceed visually|below the clouds|below the cloud|below cloud|pop out|"
	    "through the clouds|through cloud|through the layer|under the clouds|"
	    "under the cloud|under cloud|under the overcast|beneath the clouds|beneath cloud|"
	    "under the base|below the base|below the overcast|below the layer|"
	    "underneath the clouds|low level to|hop low level|continue low level|"
	    "sneak low level|sneak in low|sneak under|sneak below|then visual|then visually|"
	    "then vfr|then hop|carry on below|continue below|carry on under|continue under|"
	    "duck under"),
	PART("descend", "cloudbreak noiap diyiap",
	    "descend|descent|descending|come down|coming down"),

	/* -- weather -- */
	TOPIC("poorwx", "wx",
	    "poor weather|bad weather|low cloud|low clouds|low cloudbase|low ceiling|"
	    "low ceilings|marginal|marginal weather|marginal conditions|imc|"
	    "instrument conditions|instrument meteorological conditions|poor visibility|"
	    "poor vis|low visibility|bad vis|low vis|below minima|overcast|fog|foggy|mist|"
	    "stratus|low stratus|clag|soup|murk|murky|socked in|weather is poor|"
	    "weather is bad|weather is down|weather is marginal|weather is low|solid cloud|"
	    "ceiling|ceilings|cloudbase|cloud base|lousy weather|crap weather|rotten weather|"
	    "awful weather|terrible weather|horrible weather|foul weather|dirty weather|"
	    "filthy weather|rubbish weather|grotty weather|ropey weather|weather goes down|"
	    "weather turns|bad wx|poor wx|low wx|lousy wx|crap wx|marginal wx|wx is bad|"
	    "wx poor|wx bad|wx marginal|bad met|stratus deck|low stratus deck|bad weather day"),
	PART("cloud", "poorwx cloudbreak", "cloud|clouds|layer|in cloud"),
	TOPIC("wx service", "report",
	    "weather service|weather services|weather forecast|weather forecasts|forecast|"
	    "forecasts|weather app|weather apps|weather website|weather websites|"
	    "weather site|weather source|weather sources|weather briefing|met briefing|"
	    "met service|met services|met office|met information|weather information|"
	    "weather info|aviation weather|gafor|metar|metars|taf|tafs|weather provider|"
	    "weather report|weather reports|local weather|weather observation|met picture|"
	    "weather picture|met data|weather page|weather pages|check weather|"
	    "check the weather|check the met|look for weather|weather look up|meteo|"
	    "meteorological|weather data|webcam|webcams|cams|windy|meteoblue|flugwetter|"
	    "aeroweb|skybriefing|topmet|actual weather|low level forecast|weather bureau|"
	    "met site|met sites|met website|met page|met pages|met app|wx site|wx sites|"
	    "wx website|wx page|wx app|wx apps|wx service|wx source|wx info|wx briefing|"
	    "weather cams|weather cam|met briefings|weather office|met sources|forecaster|"
	    "forecasters|weather brief|wx brief|met brief|weather product|weather products|"
	    "met product|met products"),
	TOPIC("wx now", NULL,
	    "weather today|weather tomorrow|weather now|weather right now|weather at|"
	    "current weather|weather like|weather look|weather looking|weather on saturday|"
	    "weather on sunday"),
	TOPIC("wx", "service",
	    "weather|wx|met|meteorology|weather conditions|met conditions"),
	PART("service", NULL, "service|services|source|sources"),
	PART("report", NULL, "report|reports|local conditions"),
};
const struct synonyms synonyms_ifr = SYNONYMS(rows);
