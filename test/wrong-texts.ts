/* Texts that a program shows only by mistake: a value without words. Every place where tests read its texts looks for them. */

export const WRONG_TEXT = /\b(undefined|null|NaN)\b|\[object |Invalid Date/;

/** Throws if a text for people has a value without words. */
export function refuseWrongText(text: string, where: string): void {
  const at = text.search(WRONG_TEXT);
  if (at >= 0) throw new Error(`${where} says «${text.slice(Math.max(0, at - 60), at + 40)}»`);
}

/** Reports as an error of the console whatever the page shows or names from now on. Runs in the page: knows nothing around it. */
export function reportWrongTexts(source: string): void {
  const wrong = new RegExp(source);
  const named = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'value', 'download', 'href'];
  const report = (text: string | null, where: Element | null) => {
    if (text && wrong.test(text) && !where?.closest('script, style, pre, code')) console.error(`The page says «${text.slice(0, 200)}»`);
  };
  const ofElement = (element: Element) => {
    for (const name of named) report(element.getAttribute(name), element);
  };
  const look = (node: Node) => {
    if (node instanceof Text) report(node.data, node.parentElement);
    if (!(node instanceof Element)) return;
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let each: Node | null = walker.currentNode; each; each = walker.nextNode()) {
      if (each instanceof Element) ofElement(each);
      else report((each as Text).data, each.parentElement);
    }
  };
  new MutationObserver((records) => {
    for (const { target, addedNodes, attributeName } of records) {
      addedNodes.forEach(look);
      if (attributeName) report((target as Element).getAttribute(attributeName), target as Element);
      else if (target instanceof Text) look(target);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: named });
}
