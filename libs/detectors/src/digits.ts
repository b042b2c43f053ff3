/** The digits of a text as numbers, everything else left out. */
export function digitsOf(value: string): number[] {
  const digits: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index) - 48;
    if (code >= 0 && code <= 9) digits.push(code);
  }
  return digits;
}

export function weighedSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** Whether every digit is the same: such numbers pass many checks and are never given out. */
export function isRepeated(digits: readonly number[]): boolean {
  return digits.every((digit) => digit === digits[0]);
}

/** The check of payment cards (ISO/IEC 7812-1). */
export function passesLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits[digits.length - 1 - index]!;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The check of EAN and ISBN-13 numbers. */
export function passesEan(digits: readonly number[]): boolean {
  return digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const VERHOEFF_PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function verhoeffProduct(left: number, right: number): number {
  if (left < 5) return right < 5 ? (left + right) % 5 : ((left + right) % 5) + 5;
  return right < 5 ? ((left - right + 5) % 5) + 5 : (left - right + 5) % 5;
}

/** The check of Verhoeff, which finds every single wrong digit and every swap of neighbours. */
export function passesVerhoeff(digits: readonly number[]): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index += 1) {
    let digit = digits[digits.length - 1 - index]!;
    for (let times = index % 8; times > 0; times -= 1) digit = VERHOEFF_PERMUTATION[digit]!;
    check = verhoeffProduct(check, digit);
  }
  return check === 0;
}

/** Whether day and month can be in a calendar; without the year, so that 29 February is one. */
export function isDayOfYear(month: number, day: number): boolean {
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
