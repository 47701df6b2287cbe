import type { z } from 'zod';
import type { FilterName } from './filters.fields.ts';
import type * as schemas from './filters.schemas.ts';

export type PedidoFilters = { [F in FilterName]?: z.output<(typeof schemas.FILTER_SCHEMAS)[F]> | undefined };
