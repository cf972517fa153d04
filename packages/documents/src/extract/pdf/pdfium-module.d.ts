// The package has types for its ESM build only, which a CommonJS bundle can't run (it needs `import.meta.url`). The
// types lack the functions that report how a character was decoded.
declare module '@hyzyla/pdfium/dist/index.cjs' {
  /** C interface of PDFium. Numbers are pointers into `HEAPU8`; 0 means failure. */
  export interface PdfiumModule {
    readonly HEAPU8: Uint8Array;
    /** The functions themselves. Their counterparts with `_` check each call, which is slow for single characters. */
    readonly wasmExports: {
      malloc(this: void, size: number): number;
      free(this: void, pointer: number): void;
      FPDFText_GetUnicode(this: void, textPage: number, index: number): number;
      FPDFText_GetTextObject(this: void, textPage: number, index: number): number;
      /** Left, top, right and bottom as floats. */
      /** Writes the sides of a character's ink, one double each. */
      FPDFText_GetCharBox(
        this: void,
        textPage: number,
        index: number,
        left: number,
        right: number,
        bottom: number,
        top: number,
      ): number;
      FPDFText_GetLooseCharBox(this: void, textPage: number, index: number, rectangle: number): number;
      /** The pointers are to one double each. */
      FPDFText_GetCharOrigin(this: void, textPage: number, index: number, x: number, y: number): number;
      FPDFText_IsHyphen(this: void, textPage: number, index: number): number;
      FPDFText_HasUnicodeMapError(this: void, textPage: number, index: number): number;
    };
    _FPDF_InitLibraryWithConfig(config: number): void;
    _FPDF_LoadMemDocument(bytes: number, size: number, password: number): number;
    _FPDF_CloseDocument(document: number): void;
    _FPDF_GetLastError(): number;
    _FPDF_DocumentHasValidCrossReferenceTable(document: number): number;
    _FPDF_GetPageCount(document: number): number;
    _FPDF_LoadPage(document: number, index: number): number;
    _FPDF_ClosePage(page: number): void;
    _FPDF_GetPageWidthF(page: number): number;
    _FPDF_GetPageHeightF(page: number): number;
    /** 0 none, 1 fields, 2 XFA alone, 3 XFA beside fields. */
    _FPDF_GetFormType(document: number): number;
    _FPDFDOC_InitFormFillEnvironment(document: number, info: number): number;
    _FORM_OnAfterLoadPage(page: number, form: number): void;
    _FORM_OnBeforeClosePage(page: number, form: number): void;
    /** Makes annotations part of the page's content when it is reloaded, and removes them. */
    _FPDFPage_Flatten(page: number, usage: number): number;
    _FPDFPage_SetMediaBox(page: number, left: number, bottom: number, right: number, top: number): void;
    _FPDFDoc_GetAttachmentCount(document: number): number;
    _FPDFDoc_GetAttachment(document: number, index: number): number;
    _FPDFAttachment_GetName(attachment: number, buffer: number, bytes: number): number;
    _FPDFAttachment_GetSubtype(attachment: number, buffer: number, bytes: number): number;
    /** Writes the content if it fits, and its bytes as a 32-bit integer. */
    _FPDFAttachment_GetFile(attachment: number, buffer: number, bytes: number, written: number): number;
    _FPDFPage_GetAnnotCount(page: number): number;
    _FPDFPage_GetAnnot(page: number, index: number): number;
    _FPDFPage_CloseAnnot(annotation: number): void;
    _FPDFPage_RemoveAnnot(page: number, index: number): number;
    _FPDFAnnot_GetSubtype(annotation: number): number;
    _FPDFAnnot_GetFlags(annotation: number): number;
    // These write UTF-16 as far as it fits, and return the bytes that they need.
    _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetFormFieldName(form: number, annotation: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetFormFieldAlternateName(form: number, annotation: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetFormFieldExportValue(form: number, annotation: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetOptionLabel(form: number, annotation: number, index: number, buffer: number, bytes: number): number;
    _FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
    _FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): number;
    _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
    _FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
    _FPDFAnnot_IsChecked(form: number, annotation: number): number;
    /** Left, top, right and bottom of the visible part of a page, as floats, in page coordinates. */
    _FPDF_GetPageBoundingBox(page: number, rectangle: number): number;
    /** Quarter turns clockwise. */
    _FPDFPage_GetRotation(page: number): number;
    _FPDFPage_CountObjects(page: number): number;
    _FPDFPage_GetObject(page: number, index: number): number;
    _FPDFPageObj_GetType(object: number): number;
    /** Six floats. */
    _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
    /** The pointers are to one 32-bit integer each. Returns 0 for a pattern. */
    _FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, opacity: number): number;
    _FPDFPageObj_CountMarks(object: number): number;
    _FPDFPageObj_GetMark(object: number, index: number): number;
    /** Writes the name as UTF-16, and its bytes as a 32-bit integer. */
    _FPDFPageObjMark_GetName(mark: number, name: number, bytes: number, written: number): number;
    _FPDFPageObj_GetClipPath(object: number): number;
    _FPDFClipPath_CountPaths(clip: number): number;
    _FPDFClipPath_CountPathSegments(clip: number, path: number): number;
    _FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number;
    /** The pointers are to one float each. */
    _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
    /** The pointers are to one 32-bit integer each. The fill mode is 0 if the path is not filled. */
    _FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number;
    /** An inactive object is not rendered. */
    _FPDFPageObj_SetIsActive(object: number, active: number): number;
    _FPDFFormObj_CountObjects(form: number): number;
    _FPDFFormObj_GetObject(form: number, index: number): number;
    _FPDFTextObj_GetFont(object: number): number;
    /** Writes the name of the font that is drawn as UTF-8, and returns the bytes that it needs. */
    _FPDFFont_GetFamilyName(font: number, name: number, bytes: number): number;
    /** The pointers are to one float each. */
    _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
    _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
    _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
    /** Writes UTF-16 if it fits, and returns the bytes that it needs. */
    _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
    _FPDFBookmark_GetDest(document: number, bookmark: number): number;
    _FPDFDest_GetDestPageIndex(document: number, destination: number): number;
    _FPDFPath_CountSegments(path: number): number;
    _FPDFPath_GetPathSegment(path: number, index: number): number;
    /** The pointers are to one 32-bit integer each. */
    _FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number;
    /** 0 line to, 1 curve to, 2 move to. */
    _FPDFPathSegment_GetType(segment: number): number;
    /** The pointers are to one float each. */
    _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
    /** Whether the segment ends its figure with a line to the start. */
    _FPDFPathSegment_GetClose(segment: number): number;
    _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
    _FPDFBitmap_FillRect(
      bitmap: number,
      left: number,
      top: number,
      width: number,
      height: number,
      argb: number,
    ): number;
    _FPDFBitmap_GetBuffer(bitmap: number): number;
    _FPDFBitmap_GetStride(bitmap: number): number;
    _FPDFBitmap_Destroy(bitmap: number): void;
    _FPDF_RenderPageBitmap(
      bitmap: number,
      page: number,
      left: number,
      top: number,
      width: number,
      height: number,
      rotation: number,
      flags: number,
    ): void;
    _FPDFText_LoadPage(page: number): number;
    _FPDFText_ClosePage(textPage: number): void;
    _FPDFText_CountChars(textPage: number): number;
    /** Six floats. */
    _FPDFText_GetMatrix(textPage: number, index: number, matrix: number): number;
    _FPDFText_GetFontSize(textPage: number, index: number): number;
    _FPDFText_GetFontWeight(textPage: number, index: number): number;
    /** Writes the name as UTF-8 as far as it fits, and returns the bytes that it needs. */
    _FPDFText_GetFontInfo(textPage: number, index: number, name: number, bytes: number, flags: number): number;
    /** The pointers are to one 32-bit integer each. */
    _FPDFText_GetFillColor(
      textPage: number,
      index: number,
      red: number,
      green: number,
      blue: number,
      opacity: number,
    ): number;
    _FPDFTextObj_GetTextRenderMode(object: number): number;
  }

  export const PDFiumModule: (options: {
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
    readonly instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => WebAssembly.Exports;
  }) => Promise<PdfiumModule>;
}
