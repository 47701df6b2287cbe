import { ERRORS } from '../../contract/kit/errors.ts';

/** Page behind the `type` of a problem: every code with its title and statuses. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { title, status }]) => `<dt id="${code}"><code>${code}</code> (${status.join(', ')})</dt><dd>${title}</dd>`,
  );
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Códigos de error · Enruta</title></head><body><main><h1>Códigos de error</h1>
<p>El <code>code</code> de cada respuesta de error de la API. Un código no cambia nunca de significado.</p>
<dl>${rows.join('\n')}</dl></main></body></html>`;
}
