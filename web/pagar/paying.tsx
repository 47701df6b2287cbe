import { IconCheck, IconCreditCard, IconDeviceMobile } from '@tabler/icons-react';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import type { PagoPage } from '../../contract/pagar/page.ts';
import { ibanInFours } from '../../contract/text/iban.ts';
import { announcedWords } from './message.ts';
import { Act, Copy, PagarSection } from './parts.tsx';

type Props = { page: PagoPage; pago: PagoPublico };

/** Immediate payment methods, each on the provider's page. */
export function Providers({ page, pago: { metodos } }: Props) {
  const offered = Object.entries(metodos).flatMap(([proveedor, methods]) => (methods || []).map((method) => ({ proveedor, ...method })));
  if (offered.length === 0) return null;
  return (
    <PagarSection id="al-momento" title="Pago al momento">
      <Act page={page} act="pago" leaves>
        <div className="methods">
          {offered.map(({ proveedor, id, label }) => {
            const Icon = id === 'bizum' ? IconDeviceMobile : IconCreditCard;
            return (
              <button type="submit" key={`${proveedor} ${id}`} className="button" name="metodo" value={`${proveedor}.${id}`}>
                <Icon size={18} aria-hidden />
                {label}
              </button>
            );
          })}
        </div>
      </Act>
      <p className="small dimmed">Te llevamos a la página segura del banco y vuelves aquí al terminar.</p>
    </PagarSection>
  );
}

export function Transfer({ page, pago }: Props) {
  const { transferencia: details, empresa, numero_orden, pendiente } = pago;
  if (!details)
    return (
      <PagarSection id="transferencia" title="Transferencia bancaria">
        <p>Todavía no hay una cuenta a la que hacer la transferencia. Pide a {empresa} los datos para pagar.</p>
      </PagarSection>
    );
  // The amount is a part of the address, so that a picture of another amount is never shown.
  const qr = `${page.path}/qr.png?importe=${pendiente}`;
  return (
    <PagarSection id="transferencia" title="Transferencia bancaria">
      <dl className="facts">
        <Detail label="Beneficiario" value={details.beneficiario} copy={details.beneficiario} />
        <Detail label="IBAN" value={ibanInFours(details.iban)} copy={details.iban} />
        {details.bic && <Detail label="BIC" value={details.bic} />}
        <Detail label="Concepto" value={details.concepto} copy={details.concepto} />
      </dl>
      <figure className="qr">
        <img src={qr} width="208" height="208" loading="lazy" alt="Código QR con los datos de la transferencia" />
        <figcaption>
          Escanéalo con la app de tu banco y la transferencia se rellena sola. Si lo ves en el mismo teléfono, guárdalo y ábrelo desde la
          app.
        </figcaption>
        <div className="methods">
          <a className="button quiet" href={qr} download={`QR ${numero_orden}.png`}>
            Guardar el QR
          </a>
          <button type="button" className="button quiet can-share" data-share={`QR ${numero_orden}.png`}>
            Compartir el QR
          </button>
        </div>
      </figure>
      <p className="small dimmed">
        Escribe el concepto tal cual: así sabremos que el pago es de este pedido. Una transferencia normal tarda uno o dos días laborables;
        una inmediata, unos segundos.
      </p>
      {pago.transferencia_avisada ? (
        <p className="said">
          <IconCheck size={18} aria-hidden />
          <span>{announcedWords(pago)}</span>
        </p>
      ) : (
        <Act page={page} act="transferencia">
          <button type="submit" className="button quiet wide">
            Ya he hecho la transferencia
          </button>
        </Act>
      )}
    </PagarSection>
  );
}

const Detail = ({ label, value, copy }: { label: string; value: string; copy?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <span className="value">{value}</span>
      {copy && <Copy name={label} text={copy} />}
    </dd>
  </div>
);
