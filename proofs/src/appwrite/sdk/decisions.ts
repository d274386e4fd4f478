/** Where this server differs from the reference on purpose, and why. No assertion differs from the checklist. */
export const DECISIONS: readonly (readonly [number[], string, string])[] = [
  [[9, 11], 'an id of the shape of a UUID is refused', 'accounts of the product have such ids, and roles name them'],
  [[10], 'passwords have 4 characters or more, not 8', 'the product asks for 4'],
  [
    [15],
    'both session cookies are SameSite=Lax',
    'a cookie that every site may send invites forgery; pages elsewhere use the header',
  ],
  [[27], 'recovery of an unknown address answers 201', 'the answer must not tell whether an account exists'],
  [[27], 'the answer to a recovery names no account; the email does', 'an id tells when and how the account was made'],
  [[27], 'a recovered password ends every session', 'a thief who knew the old one is signed out'],
  [[76], 'a changed password ends the other sessions', 'a thief who knew the old one is signed out'],
  [
    [76],
    'the old password is always asked for',
    'an account made with Google sets its first password by a recovery email',
  ],
  [
    [29, 30],
    'the state of a sign-in with Google is encrypted and bound to its browser',
    'otherwise any browser could finish it',
  ],
  [[31, 34], 'a code of the step before or after is taken', 'clocks differ'],
  [[35], '`recoverycode` and `recoveryCode` are one', 'the package sends one, the reference knows the other'],
  [[42, 43], 'operators in texts are not executed', 'a message may say anything'],
  [[50], 'a page has 5,000 entries at most', 'a call must have an end'],
  [
    [57, 61],
    'content that does not match the extension is refused',
    'a name must not claim another type; the error is that of a wrong extension',
  ],
  [[66], 'ranges follow RFC 9110', 'the reference refuses a range of one byte'],
  [[67], '`gravity=auto` is the middle', 'the open reference does not know it'],
  [[69], 'a subscriber has a target of their own', 'no user can subscribe another one'],
];
