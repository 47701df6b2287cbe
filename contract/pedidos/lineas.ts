import type { z } from 'zod';
import type * as schemas from './lineas.schemas.ts';

export type Linea = z.infer<typeof schemas.linea>;

export type LineaTransportista = z.infer<typeof schemas.lineaTransportista>;

export type LineaInput = z.output<typeof schemas.lineaInput>;
