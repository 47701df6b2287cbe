import { ERRORS_PAGE } from '../../contract/kit/errors.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { errorsPage } from './errors-page.ts';

/** Description of the API, as OpenAPI 3.1. */
export const openapiFeature: Feature = {
  name: 'openapi',
  routes: (app, { config }) => {
    let described: Record<string, unknown> | undefined;
    route(app, getOpenapi, async () => {
      // Loaded with the first request, because few instances are asked.
      described ??= (await import('./description.ts')).describeApi(config.publicUrl);
      return described;
    });
    app.get(ERRORS_PAGE, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(errorsPage()),
    );
  },
};
