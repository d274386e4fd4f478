/** Whole years from `birthday` (`2001-05-29`) to `today`; undefined for an incomplete or future date. */
export function computeAge(birthday: string, today: Date): number | undefined {
  const [year, month, day] = birthday.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const owed = today.getMonth() + 1 > month || (today.getMonth() + 1 === month && today.getDate() >= day) ? 0 : 1;
  const age = today.getFullYear() - year - owed;
  return age >= 0 ? age : undefined;
}
