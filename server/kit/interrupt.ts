/** Milliseconds within which a second SIGINT is the same Ctrl+C. */
const SAME_MS = 1000;

/**
 * Makes Ctrl+C an orderly stop like SIGTERM, and a second one an end at once. The terminal sends SIGINT to npm and to the program, and npm
 * sends it on, so one Ctrl+C at `npm start` arrives twice.
 */
export function stopOnInterrupt(): void {
  let first: number | undefined;
  process.on('SIGINT', () => {
    if (first === undefined) {
      first = Date.now();
      process.emit('SIGTERM');
    } else if (Date.now() - first > SAME_MS) process.exit(1);
  });
}
