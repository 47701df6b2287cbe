/** Formats hours: «35 min», «5 h 30 min», «2 días y 3 h». */
export function duration(hours: number): string {
  const minutes = Math.round(hours * 60);
  if (minutes < 1) return 'Menos de 1 min';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) {
    const rest = minutes % 60;
    return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${minutes / 60} h`;
  }
  const whole = Math.round(hours);
  const days = Math.floor(whole / 24);
  const rest = whole % 24;
  const text = days === 1 ? '1 día' : `${days} días`;
  return rest ? `${text} y ${rest} h` : text;
}
