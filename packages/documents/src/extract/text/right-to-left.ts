const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** Whether text contains Hebrew, Arabic or other letters that are read from right to left. */
export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);
