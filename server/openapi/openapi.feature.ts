import { ERRORS, ERRORS_PAGE } from '../../contract/kit/errors.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';

/** Description of the API, as OpenAPI 3.1. */
export const openapiFeature: Feature = {
  name: 'openapi',
  routes: (app, { config }) => {
    let described: Record<string, unknown> | undefined;
    route(app, getOpenapi, async () => {
      // Lazy-loaded, because most instances never serve the description.
      described ??= (await import('./description.ts')).describeApi(config.publicUrl);
      return described;
    });
    app.get(ERRORS_PAGE, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(errorsPage()),
    );
  },
};

/** Page behind the `type` of a problem: every code with its title and statuses. */
function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { title, status }]) => `<dt id="${code}"><code>${code}</code> (${status.join(', ')})</dt><dd>${title}</dd>`,
  );
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Códigos de error · Enruta</title></head><body><main><h1>Códigos de error</h1>
<p>El <code>code</code> de cada respuesta de error de la API. Un código no cambia nunca de significado.</p>
<dl>${rows.join('\n')}</dl></main></body></html>`;
}
