declare module 'wink-porter2-stemmer' {
  /** The Porter 2 stem of a lower-case English word. */
  export default function stem(word: string): string;
}
