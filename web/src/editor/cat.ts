// Highlighting of cat, bell and def files.
import { StreamLanguage } from "@codemirror/language";

const WORDS = new Set(
  "let rec and in as include acyclic irreflexive empty show unshow flag undefined_unless assert procedure end call forall do with from match try if then else fun enum instructions default subset not when debug catdep".split(" "),
);
const CHECKS = new Set("acyclic irreflexive empty flag undefined_unless assert".split(" "));

export const cat = StreamLanguage.define<{ depth: number }>({
  name: "cat",
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0 || stream.match("(*")) {
      if (state.depth === 0) state.depth = 1;
      while (!stream.eol()) {
        if (stream.match("*)")) {
          if (--state.depth === 0) return "comment";
        } else if (stream.match("(*")) state.depth++;
        else stream.next();
      }
      return "comment";
    }
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^'[A-Za-z0-9_-]+/)) return "atom";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_.-]*/) as RegExpMatchArray | null;
    if (word) {
      if (CHECKS.has(word[0])) return "controlKeyword";
      return WORDS.has(word[0]) ? "keyword" : "variableName";
    }
    if (stream.match(/^(\^-1|\^\+|\^\*|\+\+|[|;&\\*+?~=])/)) return "operator";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { block: { open: "(*", close: "*)" } }, wordChars: "-." },
});
