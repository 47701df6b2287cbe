import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imageSize } from 'image-size';
import type { Plugin } from 'vite';
import { type Drawn, findAll, type Guide, type Node, readGuide } from './read-guide.ts';

/** Vite plugin that turns each Markdown file of docs/guia into a module with a tree. Pictures become files of the build. */
export const guides = (): Plugin => ({
  name: 'enruta-guides',
  load: {
    filter: { id: /\/docs\/guia\/\w+\.md$/ },
    handler(id) {
      const guide = readGuide(readFileSync(id, 'utf8'));
      const pictures = [...new Set(findAll(guide.body, 'img').map(([, { src = '' }]) => src))];
      const sized = { ...guide, body: guide.body.map((node) => withSizes(node, dirname(id))) };
      const imports = pictures.map((src, i) => `import picture${i} from ${JSON.stringify(`./${src}`)};\n`);
      const sources = pictures.map((src, i) => `${JSON.stringify(src)}: picture${i}`);
      return `${imports.join('')}export default ${JSON.stringify(sized satisfies Guide)};\nexport const pictures = { ${sources.join()} };\n`;
    },
  },
});

/** Maximum height of a portrait picture (a phone screen), in CSS pixels. */
const MAX_HEIGHT = 570;

/** Sets width and height of the pictures, so that the text does not shift while they load. */
function withSizes(node: Node, folder: string): Node {
  if (typeof node === 'string') return node;
  const [tag, attributes, ...children] = node;
  if (tag !== 'img') return [tag, attributes, ...children.map((child) => withSizes(child, folder))] satisfies Drawn;
  const { width, height } = imageSize(readFileSync(join(folder, attributes.src ?? '')));
  const scale = height > width ? MAX_HEIGHT / height : 1;
  return [tag, { ...attributes, width: String(Math.round(width * scale)), height: String(Math.round(height * scale)) }];
}
