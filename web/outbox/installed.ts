/* Installing the program protects stored operations: browsers may delete data of tabs, but rarely of apps on the home screen. */

/** True if the program runs as an installed app. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

/** Returns instructions to install the program on this phone. */
export function installWords(agent: string = navigator.userAgent): string {
  const iphone = 'En Safari, pulsa el botón de compartir y luego «Añadir a pantalla de inicio».';
  const android = 'En Chrome, abre el menú de los tres puntos y pulsa «Instalar aplicación» o «Añadir a pantalla de inicio».';
  if (/iPhone|iPad/.test(agent)) return iphone;
  return /Android/.test(agent) ? android : `Android: ${android} iPhone: ${iphone}`;
}
