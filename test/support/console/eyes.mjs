/**
 * What looks at a page from within, as `eyes`: every visitor carries it into each page. Types of a browser are not those of the service, so this is
 * plain JavaScript, and callers say what they get.
 */
globalThis.eyes = (() => {
  const HEADINGS = 'h1, h2, h3, h4, h5, h6';
  const CONTROLS =
    'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"]), [role=button], [role=link]';
  /** What moves by arrows within: one stop for all of it. */
  const COMPOSITES =
    '[role=grid], [role=toolbar], [role=radiogroup], [role=tablist], [role=listbox], [role=menu], [role=tree], fieldset';
  /** Where a document speaks, or a program. */
  const QUOTED = 'mark, blockquote, .prose, .mono, .chip, script, style, [class*=canon], [aria-hidden=true]';
  const LABELS = ['aria-label', 'title', 'placeholder', 'alt'];

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  const nameOf = (element) => {
    const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} ${words.trim().slice(0, 40)}`;
  };
  const isWide = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };
  const hasRing = (element) => {
    const near = [element, element.parentElement, element.parentElement?.parentElement];
    return near.some((one) => {
      if (one === null || one === undefined) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    });
  };
  const isInSight = (element) => {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  };

  /** Red, green and blue of a colour as the browser tells it, and how much of it covers what is below. */
  const partsOf = (colour) => {
    const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return { parts: [red, green, blue], alpha };
  };
  const luminanceOf = (parts) => {
    const [red, green, blue] = parts.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrastOf = (one, other) => {
    const [light, dark] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  /** The nearest ground that is no glimpse of another one. */
  const groundBehind = (element) => {
    for (let behind = element.parentElement; behind !== null; behind = behind.parentElement) {
      const { parts, alpha } = partsOf(getComputedStyle(behind).backgroundColor);
      if (alpha === 1) return parts;
    }
    return [255, 255, 255];
  };
  const FIELDS =
    'input[type=checkbox], input[type=radio], input.input, textarea.input, select.input, label.input, .askbox';

  return {
    /** Fields, boxes and circles whose border stands out from what is around it by less than three to one, or that the browser draws. */
    faintFields() {
      return [...document.querySelectorAll(FIELDS)].flatMap((field) => {
        if (!isVisible(field) || field.matches(':disabled')) return [];
        const { appearance, borderTopColor, borderTopStyle } = getComputedStyle(field);
        if (field.matches('[type=checkbox], [type=radio]') && appearance !== 'none') {
          return [`drawn by the browser: ${nameOf(field)}`];
        }
        if (borderTopStyle === 'none') return [`no border: ${nameOf(field)}`];
        const ratio = contrastOf(partsOf(borderTopColor).parts, groundBehind(field));
        return ratio >= 3 ? [] : [`border of ${ratio.toFixed(2)} to 1: ${nameOf(field)}`];
      });
    },

    /** The page, and each dialog over it, that can be moved to the side, with what reaches out of it. */
    overflow() {
      return [document.documentElement, ...document.querySelectorAll('.sheet')].flatMap((frame) => {
        if (frame.scrollWidth <= frame.clientWidth) return [];
        const edge = frame.getBoundingClientRect().left + frame.clientWidth;
        const out = [...frame.querySelectorAll('*')].filter(
          (element) => element.children.length === 0 && element.getBoundingClientRect().right > edge + 1,
        );
        return [`${frame.scrollWidth} of ${frame.clientWidth}: ${out.slice(0, 5).map(nameOf).join(', ')}`];
      });
    },

    /** `[level, text]` of each heading that can be seen. */
    headings() {
      const headings = [...document.querySelectorAll(HEADINGS)].filter(isVisible);
      return headings.map((heading) => [Number(heading.tagName.slice(1)), heading.textContent]);
    },

    /** The next press of Tab begins at the top of the page. */
    beginRound() {
      for (const name of ['data-stop', 'data-last-stop']) {
        for (const element of document.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
      }
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute('tabindex');
      scrollTo(0, 0);
    },

    /** Marks where the focus is, and looks at it. */
    lookAtFocus() {
      const element = document.activeElement;
      if (element === null || element === document.body || element.hasAttribute('data-stop')) return { isEnd: true };
      const last = document.querySelector('[data-last-stop]');
      const order = last === null ? 0 : last.compareDocumentPosition(element);
      last?.removeAttribute('data-last-stop');
      element.setAttribute('data-stop', '');
      element.setAttribute('data-last-stop', '');
      return {
        isEnd: false,
        name: nameOf(element),
        isBefore: (order & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
        isInSight: isInSight(element),
        hasRing: hasRing(element),
      };
    },

    /** Controls that can be seen and at which no stop was made. */
    neverReached() {
      const isOfStop = (control) => {
        if (control.hasAttribute('data-stop')) return true;
        const composite = control.closest(COMPOSITES);
        return composite !== null && composite.querySelector('[data-stop]') !== null;
      };
      const isOff = (control) =>
        control.matches(':disabled, [aria-disabled=true]') || control.closest('[inert], [aria-hidden=true]') !== null;
      return [...document.querySelectorAll(CONTROLS)]
        .filter((control) => isVisible(control) && isWide(control) && !isOff(control) && !isOfStop(control))
        .map(nameOf);
    },

    /** Controls and texts of the page that cannot be scrolled from below what floats over it. */
    neverAbove(floating) {
      const texts = [...document.querySelectorAll('#main *')].filter(
        (element) => element.children.length === 0 && element.textContent.trim() !== '',
      );
      const controls = [...document.querySelectorAll('#main *')].filter((element) => element.matches(CONTROLS));
      return [...texts, ...controls]
        .filter((element) => isVisible(element) && isWide(element))
        .filter((element) => {
          element.scrollIntoView({ block: 'nearest' });
          const { top, left, bottom, right } = element.getBoundingClientRect();
          // What is higher than the window is read from its end on.
          const y = bottom - top > innerHeight / 2 ? bottom - 4 : (top + bottom) / 2;
          return [left + 4, (left + right) / 2, right - 4].some(
            (x) => document.elementFromPoint(x, y)?.closest(floating) instanceof Element,
          );
        })
        .map(nameOf);
    },

    /** Controls of what stays in sight beside the page which move it when they get the focus. */
    movesPage(beside) {
      const controls = [...document.querySelectorAll(`${beside} *`)].filter((element) => element.matches(CONTROLS));
      return controls.filter(isVisible).flatMap((control) => {
        scrollTo(0, 0);
        control.focus();
        return scrollY === 0 ? [] : [`moves the page by ${scrollY}: ${nameOf(control)}`];
      });
    },

    /** Whether the focus is on something that matches, or within it. */
    isFocusWithin: (selector) =>
      document.activeElement !== document.body && (document.activeElement?.closest(selector) ?? null) !== null,

    /** What can be read: texts outside of quotations, labels, the title. A text of a marked catalogue counts wherever it is. */
    shownTexts() {
      const texts = [document.title];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() !== null) {
        const { parentElement: parent, textContent: text } = walker.currentNode;
        if (isVisible(parent) && (text.includes('⟦') || parent.closest(QUOTED) === null)) texts.push(text);
      }
      for (const name of LABELS) {
        for (const element of document.body.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
      }
      return texts;
    },

    /** All that can be read: texts, what is in fields, what can be chosen. */
    readable() {
      const held = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
      const choices = [...document.querySelectorAll('option')].map(({ text }) => text);
      return [document.body.innerText, ...held, ...choices].join('\n');
    },

    /** Protocols of all links. */
    protocols: () => [...new Set([...document.querySelectorAll('a')].map(({ protocol }) => protocol))],

    putHtml: (html) => document.body.insertAdjacentHTML('beforeend', html),
  };
})();
