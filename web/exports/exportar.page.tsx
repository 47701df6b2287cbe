export default function ExportarPage() {
  return null;
}
