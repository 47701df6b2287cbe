import { plain } from '../../ui/list/local-list.ts';
import { COVER } from '../lineas/items.ts';

/* A message being parsed: parts already read are blanked out. */

// Stamps of exported chats: «[21/11/26, 10:03:12] Ana Ruiz: », «21/11/26 10:03 - Ana Ruiz: ».
const STAMP =
  /^[^\S\n]*\[?\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?,?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?\s?m\.?)?\]?[^\S\n]*(?:-\s*)?(?:([^:\n]{1,40}):(?=\s))?/gim;
const CLOCK = /^\[?\d{1,2}:\d{2}(?:, \d{1,2}[/.-]\d{1,2}[/.-]\d{2,4})?\] ?([^:\n]{1,40}):/gim;
const FORWARDED = /^[^\S\n]*(?:reenviado|forwarded|<[^>\n]*(?:omitid|omitted)[^>\n]*>)[^\S\n]*$/gim;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}\ufe0f\u20e3]/gu;
/** Texts with digits like a phone number or postcode, such as links, IBANs, tax numbers, dates, amounts and references. */
const NOISE = [
  /\bhttps?:\/\/\S+|\bwww\.\S+/gi,
  /(?:(?:mi|el|su)\s+)?(?:(?:correo(?:\s+electr[oó]nico)?|e-?mail|mail)\s*(?:es|:)?\s*)?(?<![\p{L}\d._%+-])[\p{L}\d._%+-]{1,64}@[\p{L}\d.-]+\.\p{L}{2,}/giu,
  /\b[A-Z]{2}\d{2}(?:[ -]?[\dA-Z]{4}){4,7}(?:[ -]?[\dA-Z]{1,3})?\b/g,
  /(?:\b(?:dni|nif|nie|cif)\b[\s:.]*)?\b(?:\d{8}[ -]?[A-HJ-NP-TV-Z]|[XYZ][ -]?\d{7}[ -]?[A-Z]|[A-HJNP-SUVW][ -]?\d{7}[\dA-J]|[A-HJNP-SUVW]\d{8})\b/gi,
  /(?<![\d/-])\d{1,2}[/-]\d{1,2}[/-]\d{2,4}(?![\d/-])/g,
  /(?<!\d)(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?\s*(?:€|eur(?:os?)?\b)/gi,
  /\b(?:pedido|ref(?:erencia)?|factura|seguimiento|albar[aá]n)\s*(?:n[º°.úu]*m?(?:ero)?\.?)?[\s:#]*[A-Z]*-?\d[\d-]{3,}/gi,
];

export class ChatMessage {
  text: string;
  /** Senders, if the chat names them; `from` is a position in `text`. */
  readonly senders: { name: string; from: number }[] = [];

  constructor(written: string) {
    this.text = written
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(INVISIBLE, '')
      .replace(/[\u00a0\u202f\t*_~]/g, ' ')
      .replace(/[\u2018\u2019\u00b4`]/g, "'")
      // Long runs of spaces make patterns slow and mean nothing.
      .replace(/ {3,}/g, '  ')
      .replace(/\n(?:[ \n]*\n){2,}/g, '\n\n');
    for (const pattern of [STAMP, CLOCK]) {
      for (const { 0: stamp, 1: name, index } of this.text.matchAll(pattern)) {
        if (name) this.senders.push({ name: name.trim(), from: index });
        this.cover(index, index + stamp.length);
      }
    }
    for (const pattern of [FORWARDED, PICTURES, ...NOISE]) {
      for (const { 0: found, index } of this.text.matchAll(pattern)) this.cover(index, index + found.length);
    }
  }

  cover(start: number, end: number): void {
    this.text = this.text.slice(0, start) + COVER.repeat(end - start) + this.text.slice(end);
  }

  /** Blanks out a part, together with the words before it that match `before`. */
  take(start: number, end: number, before?: RegExp): void {
    const lead = before?.exec(this.text.slice(0, start))?.[0] ?? '';
    this.cover(start - lead.length, end);
  }
}

export const tidyText = (text: string): string =>
  text
    .replaceAll(COVER, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:.·)\]=–-]+|[\s,;:·(–=-]+$/g, '')
    .replace(/(?<=\p{L}{3,}|\d)\.$/u, '')
    .trim();

export const bareWord = (word: string): string => plain(word).replace(/[^a-z0-9ªº]/g, '');

const STOP = new Set(
  `y e o u no ni si que como cuando donde porque pero aunque mientras con sin para por en al a ante desde hasta sobre segun entre
  quiero quisiera queria querria querriamos queremos queriamos necesito necesitamos necesitaba gustaria apetece encargo encargar pido pedir pediros pedirte pedirle pedirles
  comprar compro manda mandar mandame mandadme mandarme mandarlo mandalo mandenme enviar enviame enviadme enviarme enviarlo envialo enviad envienme envio envia enviais mandais llevar llevame traer traeme ponme poneme apuntame apunta reservame
  me mi mis tu tus te ti se su sus le les lo os nos vos yo el ella ellos usted ustedes vosotros nosotros esta este esto estos estas eso esa ese aqui alli ahi
  es soy son somos sois era fue seria sera ser estoy estamos esta estan estar vivo vivimos vive resido llamo llama llamas hay tengo tenemos tiene puede puedes podeis pueden podria podriais podrias
  nombre apellido apellidos direccion domicilio telefono telefonos tel telf tlf tlfn tfno tlfno movil moviles whatsapp numero num cp codigo postal ciudad poblacion localidad provincia municipio pais piso puerta
  producto productos cantidad pedido pedidos cliente clienta destinatario email correo mail dni nif cif nie contacto datos dato aqui
  gracias grax graciass porfa porfavor favor plis please hola holaa ola naiz buenas buenos bon bones egun kaixo dias dia tarde tardes noche noches hey ey hi hello saludos saludo abrazo beso besos atentamente cordialmente adios
  ok okey vale perfecto genial bien claro listo venga muy mucho muchas muchos mas menos tambien ademas ya hoy manana ayer ahora luego despues antes pronto lunes martes miercoles jueves viernes sabado
  un una uno unos unas dos tres cuatro cinco seis siete ocho nueve diez once doce docena media par
  pago pagar pagado bizum transferencia tarjeta efectivo factura precio euros
  entrega entregar entregad dejar dejad dejadlo dejarlo urgente vecino vecina vecinos portal porteria conserje casa trabajo tienda siempre mismo misma nuevo nueva primera vez favor paquete
  caja cajas pack packs bote botes tarro tarros botella botellas unidad unidades bolsa bolsas kilo kilos kg litro litros lata latas lote lotes garrafa garrafas paquetes
  hijo hija madre padre marido mujer hermana hermano novia novio amiga amigo suegra abuela abuelo jefa jefe regalo cumple`.split(/\s+/),
);

/** Stop words that are surnames if capitalised: «Pablo Díez». */
const SURNAMES = /^(?:Díez|Diez|Casas?|Mas|Bueno|Claro|Nuevo|Seis|Once|Paquetes?|Media|Pagado|Amigo|Abuelo|Precio)$/;

/** True for a word that cannot continue the name of a person or place. */
export const isStop = (word: string): boolean => STOP.has(bareWord(word)) && !SURNAMES.test(word);

/** Capitalises a name written in lower case; leaves other names unchanged. */
export function capitaliseWords(name: string): string {
  if (/\p{Lu}/u.test(name)) return name;
  return name.replace(/\p{L}[\p{L}'·]*/gu, (word) =>
    /^(?:de|del|la|las|los|el|y|i|da|do|dos|das|en|els|les)$/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
}
