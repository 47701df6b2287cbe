export default function PanelPage() {
  return null;
}
