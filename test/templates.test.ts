import { join } from 'node:path';
import { isTaggedTemplateExpression, isTemplateExpression, type Node, type SourceFile } from 'typescript/unstable/ast';
import { API, type Type, TypeFlags } from 'typescript/unstable/sync';
import { beforeAll, expect, test } from 'vitest';

/* A template turns `undefined` and `null` into words that people read, and an object into «[object Object]». */

const ROOT = join(import.meta.dirname, '..');
const NULLISH = TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void;
/** Objects whose text is meant. */
const SPEAKING = ['URLSearchParams', 'Buffer', 'URL', 'Error'];

/** Expressions within the templates of a file, without class names and tagged templates such as SQL. */
function spans(file: SourceFile): Node[] {
  const styles = new Set([...file.text.matchAll(/^import (\w+) from '.*\.module\.css'/gm)].map(([, name]) => name));
  const found: Node[] = [];
  const visit = (node: Node) => {
    if (isTemplateExpression(node) && !isTaggedTemplateExpression(node.parent))
      found.push(...node.templateSpans.map(({ expression }) => expression));
    node.forEachChild(visit);
  };
  visit(file);
  return found.filter((node) => !styles.has(node.getText(file).split('.')[0]));
}

const isSpeechless = (type: Type): boolean => {
  if (type.isUnionType()) return type.getTypes().some(isSpeechless);
  if (type.flags & TypeFlags.Object) return !SPEAKING.includes(type.getSymbol()?.name ?? '');
  return (type.flags & NULLISH) !== 0;
};

let found: string[];
beforeAll(() => {
  const api = new API({ cwd: ROOT });
  const project = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] }).getProjects()[0]!;
  const files = project.rootFiles.filter(
    (path) => /\/(contract|server|web|demo)\//.test(path.slice(ROOT.length)) && !/\.test\.tsx?$|\/migrations\//.test(path),
  );
  found = files.flatMap((path) => {
    const file = project.program.getSourceFile(path)!;
    const nodes = spans(file);
    const types = project.checker.getTypeAtLocation(nodes);
    return nodes.flatMap((node, i) =>
      types[i] && isSpeechless(types[i]) ? [`${path.slice(ROOT.length + 1)}: ${node.getText(file)}`] : [],
    );
  });
  api.close();
});

test('no template holds a value that can be undefined or null, or an object without a text', () => {
  expect(found).toEqual([]);
});
