import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

type Detector = { detect: (image: HTMLVideoElement) => Promise<readonly { rawValue: string }[]> };
type Native = { new (options: { formats: string[] }): Detector; getSupportedFormats: () => Promise<readonly string[]> };

const QR = { formats: ['qr_code'] };

/** The browser's own reader of QR codes; without one, the same of `barcode-detector`, whose WebAssembly comes from this server. */
export async function createDetector(): Promise<Detector> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: Native };
  if ((await Own?.getSupportedFormats())?.includes('qr_code') && Own) return new Own(QR);
  const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill');
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new BarcodeDetector({ formats: ['qr_code'] });
}
