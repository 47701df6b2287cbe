import { registerHooks } from 'node:module';

// openapi-typescript needs the compiler as a library, which TypeScript 7 does not provide.
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context) });
