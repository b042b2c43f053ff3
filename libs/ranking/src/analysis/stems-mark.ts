/** A term of every chunk that has the stems of its own language; no text holds it. */
export const STEMS_MARK = '⟨stems⟩';
