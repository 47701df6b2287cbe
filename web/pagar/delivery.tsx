import { IconCheck } from '@tabler/icons-react';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import type { PagoPage } from '../../contract/pagar/page.ts';
import { MAX_NOTA_APLAZAR } from '../../contract/pedidos/attempts.ts';
import { TIPO_LABEL } from '../../contract/pruebas/fields.ts';
import { fecha, fechaCercana } from '../ui/format/format.ts';
import { Act, PagarSection, Problem } from './parts.tsx';

/** PIN and permission for a neighbour before the delivery; outcome and proofs afterwards. */
export function Delivery({ page, of }: { page: PagoPage; of: NonNullable<PagoPublico['entrega']> }) {
  const { pin, vecino, texto, pruebas } = of;
  if (!pin && !vecino && !texto && pruebas.length === 0) return null;
  return (
    <PagarSection id="entrega" title={texto || pruebas.length ? 'Cómo se entregó' : 'Para la entrega'}>
      {pin && (
        <>
          <p className="amount pin">{pin}</p>
          <p className="small">Es tu PIN: dáselo al transportista cuando tengas el paquete, no antes.</p>
        </>
      )}
      {vecino?.permitido_at && (
        <p className="said">
          <IconCheck size={18} aria-hidden />
          <span>El {fecha(vecino.permitido_at)} dijiste que podemos dejarlo a un vecino.</span>
        </p>
      )}
      {vecino && (
        <Act page={page} act="vecino">
          <button type="submit" className="button quiet wide" name="permitido" value={vecino.permitido_at ? 'no' : 'si'}>
            {vecino.permitido_at ? 'Ya no quiero que se deje a un vecino' : 'Puedes dejarlo a un vecino'}
          </button>
        </Act>
      )}
      {texto && <p>{texto}</p>}
      {pruebas.map(({ tipo, url }) => (
        <a key={url} href={url} target="_blank" rel="noreferrer" className="proof">
          <img src={url} alt={`${TIPO_LABEL[tipo]} de la entrega`} loading="lazy" />
        </a>
      ))}
    </PagarSection>
  );
}

const SHOWN = 6;

/** Lets the customer ask for another delivery day, with a note to the carrier, and shows the request. */
export function Postpone({ page, pago: { aviso, dias_posibles } }: { page: PagoPage; pago: PagoPublico }) {
  if (dias_posibles.length === 0) return null;
  const error = page.error?.act === 'aplazar' ? page.error : undefined;
  return (
    <PagarSection id="aplazar" title="Si no vas a estar">
      {aviso && <p>Se lo hemos dicho al transportista: {aviso}</p>}
      <details className="stack" open={error !== undefined}>
        <summary className="button quiet wide">{aviso ? 'Cambiar el día' : 'No voy a estar'}</summary>
        <Act page={page} act="aplazar">
          <fieldset className="stack">
            <legend>¿Qué día te viene bien?</legend>
            <div className="tiles">
              {dias_posibles.slice(0, SHOWN).map((dia) => (
                <label key={dia} className="tile">
                  <input type="radio" name="dia" value={dia} defaultChecked={error?.typed.dia === dia} />
                  {fechaCercana(dia)}
                </label>
              ))}
            </div>
          </fieldset>
          {error && <Problem of={error.message} />}
          <label htmlFor="nota">Nota para el transportista (opcional)</label>
          <p id="nota-ayuda" className="small dimmed">
            Por ejemplo, a qué hora estás o a quién se lo puede dejar.
          </p>
          <textarea
            id="nota"
            name="nota"
            rows={2}
            maxLength={MAX_NOTA_APLAZAR}
            aria-describedby="nota-ayuda"
            defaultValue={error?.typed.nota}
          />
          <button type="submit" className="button wide">
            Avisar
          </button>
        </Act>
      </details>
    </PagarSection>
  );
}
