/* Common first names in Spain (INE), without accents, to find names in text without capitals. */

const NOMBRES = `
aaron abdel abdellah abel abraham abril achraf ada adam adela adelaida adolfo adrian adriana agata agustin agustina ahmed aida aina ainara
ainhoa ainoa aitana aitor aitziber alba albert alberto aleix alejandra alejandro alex alexandra alexandru alexia alexis alfonso alfredo alicia alina alma
almudena alonso alvaro amaia amanda amaya amelia ainhize amina amparo ana anabel anastasia ander andoni andrea andreea andrei andres andreu
angel angela angeles angelica angels ane anna anne anselmo antia anton antoni antonia antonio araceli aranzazu arancha ariadna arnau arturo ascension
asier asuncion aurelio aurora ayoub azahara azucena baltasar barbara bartolome basilio beatriz begona belen benito benjamin berta bernardo bernat
berenguer bianca biel blanca blas bogdan borja brais braulio breixo brigida bruno camila camilo candela candido caridad carla carles carlos carlota
carme carmela carmelo carmen carmina carolina casandra catalina cayetano cecilia celia celso cesar charo chema chus claudia claudio clara clemente
concepcion concha conchi consolacion consuelo covadonga cristian cristina cristobal cruz cynthia dafne dalia daniel daniela dario david delfina demetrio denis
desire desiree diana diego dimas dolors dolores domingo domenec dulce edgar edu eduard eduardo edurne efren elena eli elias elisa elisabet
elisabeth elisenda eliseo elizabeth eloisa eloy elsa elvira ema emilia emiliano emilio emma encarna encarnacion eneko enric enrique eric erik erika
ernesto esmeralda esperanza estanislao esteban estefania ester esther estibaliz estrella eugenia eugenio eulalia eusebio eva evaristo fabian
fabiola fatima federico felicia feliciano felipe felisa felix fermin fernanda fernando ferran fidel fina flora florencio florin francesc
francesca francisca francisco fran gabriel gabriela gael gaizka gala garazi garbine gaspar gemma genoveva george georgina gerard gerardo german
gertrudis gil gilberto gines gisela gloria goizane gonzalo gorka gracia graciela gregorio guadalupe guillem guillermo gustavo hamza hassan haizea
hector helena heliodoro herminia hermenegildo hilario hortensia hugo humberto ian ibai iban ibon idoia ignacio ignasi igor iker ikram imad imanol imma
inaki indalecio ines inigo inma inmaculada ioan ion irati irene iria iris irma isaac isabel isidoro isidro ismael israel itxaso itziar iu ivan ivet
ivette izan izaskun jacinta jacinto jacobo jaime jan jana janire jaume javi javier jennifer jeronimo jessica jesus jimena joan joana joanna joao
joaquim joaquin joel john jon jonathan jordi jordina jorge jose josefa josefina josep josune josu josue jonas juan juana juanjo juanma judith julen
julia julian juliana julio justa justo karim karina karmele katia kepa kevin khadija kike koldo laia lara laura laureano lazaro leandro leire leo leocadia leonardo
leonor leticia leyre lidia lia lina lledo lluc lluis llorenc lola loli lorea lorena lorenzo lourdes lucas lucia luciano luis luisa luismi luka luna luz
lydia macarena magdalena maialen maica maider maite malak manel manoli manolo manu manuel manuela mar marc marcel marcela marcelino marcelo marcial
marco marcos margarida margarita maria mariam marian mariana mariano maribel maricarmen marijose marilo marina mario mariona marisa marisol marta marti
martin martina martino mateo mateu matias matilde mauro mauricio maximo meritxell mercedes merce merche mercè michael miguel mihai mikel milagros
mina mireia mireya miren miriam mohamed mohammed moises monica montse montserrat mustapha myriam nacho nadia nahia naia naiara naroa narcis natalia natividad
nayara neil nekane nelida nerea nestor nicolae nicolas nicole nieves nil noa noelia noemi nora norberto nuno nuria obdulia octavio ofelia
olaia olalla olatz olga olivia omar oriol oscar osman oscar otilia pablo paco paloma paola pascual pascuala pastor patricia patxi pau paul paula
paulina paz pedro pepa pepe pepi peio petra piedad pilar pili pol prudencio purificacion quique quim rachid rafa rafael rafaela raimundo
ramiro ramon ramona raquel raul rebeca regina reyes remedios ricard ricardo rita robert roberto rocio rodolfo rodrigo rogelio roger roman roque
rosa rosalia rosana rosario roser rosendo ruben rufino ruth sabina sabrina said salma salome salvador samanta samira samuel sandra santi santiago
sancho sara saray sarai saul sebastian segundo sergi sergio severino sheila silvestre silvia silvio simon sira socorro sofia sole soledad sonia
sonsoles soraya stefan susana tamara tania tatiana telmo teo teodoro teofilo tere teresa thiago tomas tomasa toni trinidad txema uxia
uxue unai urko urbano ursula vanesa vanessa valentin valentina valeria valeriano vasile vega venancio vera veronica vicenc vicent vicenta vicente victor
victoria vicky virginia virtudes visitacion vito viviana xabi xabier xavi xavier xela xenia ximena xoan xose yago yaiza yanira yasmina yasmin yeray
yolanda youssef ylenia zaida zaira zoe zoraida zuzana antje hans klaus pierre jean marie sophie thomas peter james mary susan emily
giovanni giulia francesco luca matteo paolo sven lars ingrid olaf wei ling chen oksana olena ivana dmitri sergei natasha piotr agnieszka
mª j.m.`;

const KNOWN = new Set(NOMBRES.trim().split(/\s+/));

/** True for a common first name, given in lower case without accents. */
export const isFirstName = (word: string): boolean => KNOWN.has(word);
