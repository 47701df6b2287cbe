import { buildWebIfStale } from '../server/kit/build-web.ts';

/** Once before the browser tests, so that no two of their servers build the same folder at the same time. */
export default buildWebIfStale;
