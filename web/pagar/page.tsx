import { IconBrandWhatsapp, IconMail, IconPhone } from '@tabler/icons-react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Contacto, PagoPublico } from '../../contract/pagar/pagar.ts';
import type { PagoPage } from '../../contract/pagar/page.ts';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { shadesFrom } from '../palette.ts';
import { fecha, money, setTimeZone } from '../ui/format/format.ts';
import { Delivery, Postpone } from './delivery.tsx';
import { CONFIRMING, customerMessage, isAnnounced } from './message.ts';
import sheet from './pagar.css?inline';
import { Parcial } from './parcial.tsx';
import { Act, Copy, PagarSection, Problem } from './parts.tsx';
import { Providers, Transfer } from './paying.tsx';
import { Progress } from './progress.tsx';
import { PagarSummary } from './summary.tsx';

/** Seconds between two refreshes. While the provider's notification is awaited, the page also refreshes without a script. */
const REFRESH = 20;
const CONFIRMING_REFRESH = 3;
const WITHOUT_SCRIPT = 10;

/**
 * Returns the public page of a payment link as HTML, and its style sheet, which the content policy names by hash. The page shows how to pay and,
 * once paid, the order's progress (design, section 4.12; decision 108).
 */
export function renderPage(page: PagoPage): { html: string; style: string } {
  // Must run before the first format of a time.
  if (page.pago) setTimeZone(page.pago.zona_horaria);
  const accent = shadesFrom(page.color);
  const style = `:root{--accent:${accent[6]};--accent-hover:${accent[7]}}${sheet}`;
  return { html: `<!doctype html>${renderToStaticMarkup(<Document page={page} style={style} />)}`, style };
}

/** True after the return from the bank, until the provider's notification arrives: the return itself proves nothing. */
const isConfirming = ({ outcome, pago }: PagoPage) => outcome === 'ok' && !!pago?.por_pagar && !pago.intento_fallido;

function Document({ page, style }: { page: PagoPage; style: string }) {
  const { empresa, pago, leaving, origin, script } = page;
  const name = empresa?.empresa ?? 'Enruta';
  const title = `Pago del pedido · ${name}`;
  const description = `Paga tu pedido a ${name} y mira por dónde va.`;
  const tags = { type: 'website', locale: 'es_ES', site_name: name, title, description, image: `${origin}/preview.png` };
  return (
    <html lang="es">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="robots" content="noindex" />
        {empresa && Object.entries(tags).map(([tag, content]) => <meta key={tag} property={`og:${tag}`} content={content} />)}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {leaving && !leaving.fields && <meta httpEquiv="refresh" content={`0;url=${leaving.url}`} />}
        {isConfirming(page) && (
          <noscript>
            <meta httpEquiv="refresh" content={String(WITHOUT_SCRIPT)} />
          </noscript>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own sheet */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {/* In development Vite serves the source. */}
        <script type="module" src={import.meta.env.DEV ? '/pagar/start.ts' : script} />
      </head>
      <body>
        <p id="novedad" role="status" className="news" />
        <main data-refresh={refreshOf(page)} data-zone={pago?.zona_horaria}>
          {leaving ? <Leaving to={leaving} /> : pago ? <Pedido page={page} pago={pago} /> : <Unknown page={page} />}
        </main>
      </body>
    </html>
  );
}

const refreshOf = (page: PagoPage): number | undefined =>
  isConfirming(page) ? CONFIRMING_REFRESH : page.pago && !page.leaving ? REFRESH : undefined;

function Pedido({ page, pago }: { page: PagoPage; pago: PagoPublico }) {
  const pending = pago.por_pagar;
  const confirming = isConfirming(page);
  const failed = pending && !confirming && (page.outcome === 'ko' || pago.intento_fallido);
  const { title, text } = confirming ? CONFIRMING : customerMessage(pago);
  // An order to be paid at the door has to be received rather than paid here, so its progress comes first.
  const atDoor = pending && pago.contra_reembolso;
  const course = (
    <>
      <Progress pago={pago} />
      <Postpone page={page} pago={pago} />
      {pago.entrega && <Delivery page={page} of={pago.entrega} />}
    </>
  );
  const ways = pending && !confirming && (
    <>
      <Providers page={page} pago={pago} />
      <Transfer page={page} pago={pago} />
    </>
  );
  const announced = isAnnounced(pago);
  const isShownThere = page.error?.act === 'aplazar' && pago.dias_posibles.length > 0;
  return (
    <>
      <header id="cabecera">
        <Brand of={page.empresa} />
        {page.error && !isShownThere && <Problem of={page.error.message} />}
        <h1>{title}</h1>
        <p className="dimmed">{text}</p>
        {pending && (
          <div className="due">
            <p className="amount">{money(pago.pendiente)}</p>
            <Copy name="Importe" text={pago.pendiente.toFixed(2).replace('.', ',')} />
          </div>
        )}
      </header>
      {confirming && (
        <section id="confirmando" className="block" aria-label="Confirmando el pago">
          <p className="small">Si no llegaste a pagar, o el banco lo rechazó, puedes volver a intentarlo.</p>
          <a className="button quiet" href={page.path}>
            Volver a las formas de pago
          </a>
        </section>
      )}
      {failed && (
        <p id="fallido" role="status" className="block">
          El pago no se ha completado. Puedes volver a intentarlo o pagar de otra forma.
        </p>
      )}
      {pago.parcial && <Parcial of={pago.parcial} />}
      <Refunds of={pago.devoluciones} />
      {atDoor && course}
      {pending && <PagarSummary pago={pago} />}
      {!announced && ways}
      {pago.simulador && <Simulator page={page} />}
      {!atDoor && course}
      {!pending && <PagarSummary pago={pago} />}
      {announced && ways}
      {page.empresa && <Contact of={page.empresa.contacto} />}
      {!FINALES.includes(pago.estado) && (
        <p id="pie" className="small dimmed foot">
          <span className="js-only">Esta página se actualiza sola: guarda su dirección para ver cómo va tu pedido.</span>
          <span className="no-js">Vuelve a cargar esta página para ver cómo va tu pedido: guarda su dirección.</span>
        </p>
      )}
    </>
  );
}

function Refunds({ of }: { of: PagoPublico['devoluciones'] }) {
  if (of.length === 0) return null;
  return (
    <PagarSection id="devolucion" title="Devolución">
      {of.map(({ importe, hecha, fecha: day }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: refunds of the same amount and day are interchangeable
        <p key={i}>
          {hecha
            ? `Te devolvimos ${money(importe)} el ${fecha(day)}. Tu banco puede tardar unos días en mostrarlo.`
            : `Te devolvemos ${money(importe)} como muy tarde el ${fecha(day)}, por el mismo medio con el que pagaste.`}
        </p>
      ))}
    </PagarSection>
  );
}

/** Fake payment, for the demo only. */
const Simulator = ({ page }: { page: PagoPage }) => (
  <section id="simulador" className="block demo" aria-label="Demostración">
    <p className="small">Esto es una demostración: no hace falta pagar de verdad.</p>
    <Act page={page} act="simular">
      <button type="submit" className="button wide">
        Simular pago (demo)
      </button>
    </Act>
  </section>
);

function Contact({ of: { telefono, email, whatsapp_url } }: { of: Contacto }) {
  const ways = [
    telefono && { href: `tel:${telefono.replace(/[^\d+]/g, '')}`, label: `Llamar al ${telefono}`, Icon: IconPhone },
    whatsapp_url && { href: whatsapp_url, label: 'WhatsApp', Icon: IconBrandWhatsapp },
    email && { href: `mailto:${email}`, label: `Escribir a ${email}`, Icon: IconMail },
  ].filter((way) => !!way);
  if (ways.length === 0) return null;
  return (
    <PagarSection id="contacto" title="¿Tienes alguna duda?">
      <div className="methods">
        {ways.map(({ href, label, Icon }) => (
          <a key={href} href={href} rel="noreferrer" className="button quiet">
            <Icon size={18} aria-hidden />
            {label}
          </a>
        ))}
      </div>
    </PagarSection>
  );
}

/** Unknown link, or a failure of the server: shows the business and how to contact it. */
function Unknown({ page: { path, empresa, error } }: { page: PagoPage }) {
  return (
    <>
      <header id="cabecera">{empresa && <Brand of={empresa} />}</header>
      <section id="desconocido" className="block">
        <h1>{error ? 'No se pudo cargar el pedido' : 'No encontramos este pedido'}</h1>
        {error ? <Problem of={error.message} /> : <p>El enlace de pago no existe o ya no está disponible</p>}
        {error ? (
          <a className="button" href={path}>
            Reintentar
          </a>
        ) : (
          <p className="dimmed">Comprueba que la dirección está completa o pide el enlace otra vez a quien te lo envió.</p>
        )}
      </section>
      {empresa && <Contact of={empresa.contacto} />}
    </>
  );
}

/** Leads to the provider's page: by itself where it can, else by a button. */
const Leaving = ({ to: { url, fields } }: { to: NonNullable<PagoPage['leaving']> }) => (
  <section id="banco" className="block">
    <h1>Te llevamos a la página segura del banco</h1>
    {fields ? (
      <form method="post" action={url} data-now data-leaves>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button wide">
          Continuar
        </button>
      </form>
    ) : (
      <a className="button wide" href={url} rel="noreferrer">
        Continuar
      </a>
    )}
  </section>
);

const Brand = ({ of }: { of: PagoPage['empresa'] }) => (
  <div className="brand">
    {of?.logo ? <img className="logo" src={of.logo} alt="" /> : <img src="/favicon.svg" width="24" height="24" alt="" />}
    <strong>{of?.empresa}</strong>
  </div>
);
