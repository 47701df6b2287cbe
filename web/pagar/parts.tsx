import type { ReactNode } from 'react';
import type { PagoPage } from '../../contract/pagar/page.ts';

/** Part of the page with its heading. The script compares parts by `id` when it refreshes the page. */
export const PagarSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-titulo`} className="block">
    <h2 id={`${id}-titulo`}>{title}</h2>
    {children}
  </section>
);

type ActProps = { page: PagoPage; act: string; leaves?: boolean; children: ReactNode };

/** Form that works without a script. Its key makes a double click count once. `leaves`: the browser follows the answer, not the script. */
export const Act = ({ page: { path, clave }, act, leaves, children }: ActProps) => (
  <form className="stack" method="post" action={`${path}/${act}`} noValidate data-leaves={leaves}>
    <input type="hidden" name="clave" value={clave} />
    {children}
  </form>
);

export const Problem = ({ of }: { of: string }) => (
  <p role="alert" className="problem">
    {of}
  </p>
);

/** Button that copies one value of a transfer, such as the amount; shown only with a script. */
export const Copy = ({ name, text }: { name: string; text: string }) => (
  <button type="button" className="button quiet small js-only" data-copy={text}>
    {/* Abbreviations keep their capitals. */}
    Copiar {/^[A-Z]+$/.test(name) ? name : name.toLowerCase()}
  </button>
);
