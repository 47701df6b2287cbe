export default function EntregasPage() {
  return null;
}
