/** Character format of RTF text, as far as it changes how the text is read. */
export interface RtfFormat {
  readonly isHidden: boolean;
  /** Whether its deletion was tracked, or it was moved elsewhere. */
  readonly isDeleted: boolean;
  readonly isRaised: boolean;
  readonly isBold: boolean;
  /** In half-points. */
  readonly size: number;
}

/** Format of text without control words. */
export const plainFormat: RtfFormat = { isHidden: false, isDeleted: false, isRaised: false, isBold: false, size: 24 };

// Half-points by which raised text without a superscript format is at least raised.
const minRaised = 4;

/** Applies a control word to a format. */
export const withFormat = (format: RtfFormat, word: string, value: number | null): RtfFormat => {
  const isOn = value !== 0;
  switch (word) {
    case 'plain':
      return { ...plainFormat, isDeleted: format.isDeleted };
    case 'v':
      return { ...format, isHidden: isOn };
    case 'deleted':
    case 'mvf':
      return { ...format, isDeleted: isOn };
    case 'super':
      return { ...format, isRaised: isOn };
    case 'up':
      return { ...format, isRaised: (value ?? 6) >= minRaised };
    case 'sub':
    case 'dn':
    case 'nosupersub':
      return { ...format, isRaised: false };
    case 'b':
      return { ...format, isBold: isOn };
    case 'fs':
      return { ...format, size: value ?? plainFormat.size };
    default:
      return format;
  }
};
