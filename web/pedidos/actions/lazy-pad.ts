/** The library that draws signatures; loaded by need. */
export const lazyPad = () => import('signature_pad').then((module) => module.default);
