// Highlighting of litmus tests, of all architectures alike.
import { StreamLanguage } from "@codemirror/language";

const WORDS = new Set("exists forall filter locations int long short char void if else while do volatile struct atomic_int spinlock_t const unsigned".split(" "));

export const litmus = StreamLanguage.define<{ first: boolean; comment: boolean }>({
  name: "litmus",
  startState: () => ({ first: true, comment: false }),
  token(stream, state) {
    // In C, `(*x)` is no comment.
    if (state.comment || stream.match(/^\(\*(?=\s|\*|$)/)) {
      state.comment = !stream.match(/^.*?\*\)/);
      if (state.comment) stream.skipToEnd();
      return "comment";
    }
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (state.first && stream.match(/^\S+/)) {
      state.first = false;
      return "keyword";
    }
    if (stream.match(/^P\d+\b/)) return "typeName";
    if (stream.match(/^[#$]?-?(0x[0-9a-fA-F]+|\d+)\b/)) return "number";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_.]*/) as RegExpMatchArray | null;
    if (word) {
      if (WORDS.has(word[0])) return "keyword";
      if (/^(memory_order|smp_|rcu_|srcu_|READ_ONCE|WRITE_ONCE|atomic_|spin_|xchg|cmpxchg)/.test(word[0])) return "controlKeyword";
      return "variableName";
    }
    if (stream.match(/^(\/\\|\\\/|~|=|;|\|)/)) return "operator";
    stream.next();
    return null;
  },
});
