import { productName } from '@dostar/protocol/product';
import { accountChangeTexts, appwriteChangeTexts } from './changes.ts';
import type { EmailTexts } from './text.ts';

export const en: EmailTexts = {
  linkHint: 'If the button doesn’t work, open this link:',
  footer: 'This is an automated email. Replies aren’t read.',
  emails: {
    code: ({ code, lasts }) => ({
      subject: `Your ${productName} sign-up code`,
      preview: `${code} expires in ${lasts}`,
      title: 'Your sign-up code',
      lines: ['Enter this code to finish creating your account:'],
      notes: [
        `The code expires in ${lasts} and works once. Don’t share it. We’ll never ask you for it.`,
        'Didn’t sign up? Ignore this email. No account is created without the code.',
      ],
    }),
    'sign-in-code': ({ code, lasts }) => ({
      subject: `Your ${productName} sign-in code`,
      preview: `${code} expires in ${lasts}`,
      title: 'Your sign-in code',
      lines: ['Enter this code to sign in:'],
      notes: [
        `The code expires in ${lasts} and works once. Don’t share it. We’ll never ask you for it.`,
        'Not trying to sign in? Someone knows your password. Change it in Settings now.',
      ],
    }),
    'reauthentication-code': ({ code, lasts }) => ({
      subject: `Your ${productName} confirmation code`,
      preview: `${code} expires in ${lasts}`,
      title: 'Confirm it’s you',
      lines: ['Enter this code in Settings to confirm your change:'],
      notes: [
        `The code expires in ${lasts} and works once. Don’t share it. We’ll never ask you for it.`,
        'Not changing anything? Someone may be using your account. In Settings, sign out any devices you don’t recognize.',
      ],
    }),
    'already-here': () => ({
      subject: `You already have a ${productName} account`,
      preview: 'Nothing has changed. You can just sign in.',
      title: 'You already have an account',
      lines: [
        'Someone, probably you, tried to sign up with this email address. You already have an account, so nothing has changed.',
      ],
      button: 'Sign in',
      notes: [
        'Forgot your password? You can reset it on the sign-in page.',
        'Wasn’t you? You don’t need to do anything.',
      ],
    }),
    'verify-address': ({ lasts }) => ({
      subject: 'Confirm your email address',
      preview: 'It takes one click',
      title: 'Confirm your email address',
      lines: [`Confirm that this email address belongs to you and your ${productName} account.`],
      button: 'Confirm email address',
      notes: [
        `The link expires in ${lasts} and works once.`,
        'Didn’t request this? Ignore this email and nothing will change.',
      ],
    }),
    recovery: ({ lasts }) => ({
      subject: 'Reset your password',
      preview: `The link expires in ${lasts}`,
      title: 'Reset your password',
      lines: ['We received a request to reset your password. Choose a new one to sign in again.'],
      button: 'Reset password',
      notes: [
        `The link expires in ${lasts} and works once.`,
        'Your new password signs you in. To unlock earlier messages, you’ll also need a device where you’re still signed in, your recovery key, a passkey or your old password.',
        'Didn’t request this? Ignore this email. Your password won’t change.',
      ],
    }),
    'sign-in-notice': ({ device, moment }) => ({
      subject: `New sign-in to your ${productName} account`,
      preview: `${device}, ${moment}`,
      title: 'New sign-in',
      lines: ['Someone just signed in to your account. If it was you, you don’t need to do anything.'],
      facts: [
        ['Device', device],
        ['Time', moment],
      ],
      button: 'View devices',
      notes: ['Wasn’t you? Sign out that device in Settings and change your password now.'],
    }),
    'email-change-old': ({ newAddress, lasts }) => ({
      subject: 'Confirm your email change',
      preview: 'We need your confirmation at this address too',
      title: 'Confirm your email change',
      lines: [`You asked to change the email address of your ${productName} account.`],
      facts: [['New address', newAddress]],
      button: 'Confirm change',
      notes: [
        `The change takes effect once you confirm it from both the current and the new address. The link expires in ${lasts}.`,
        'Didn’t request this? Don’t confirm. Change your password, because someone may know it.',
      ],
    }),
    'email-change-new': ({ lasts }) => ({
      subject: 'Confirm your new email address',
      preview: 'It takes one click',
      title: 'Confirm your new email address',
      lines: [`Confirm to use this email address for your ${productName} account.`],
      button: 'Confirm email address',
      notes: [
        `The change takes effect once you confirm it from both the current and the new address. The link expires in ${lasts}.`,
        'Didn’t request this? Ignore this email and nothing will change.',
      ],
    }),
    'password-changed': ({ moment }) => ({
      subject: 'Your password was changed',
      preview: 'If this was you, you don’t need to do anything',
      title: 'Your password was changed',
      lines: [
        `The password for your ${productName} account was just changed. If this was you, you don’t need to do anything.`,
      ],
      facts: [['Time', moment]],
      button: 'This wasn’t me',
      notes: [
        'If this wasn’t you, use the button to reset your password. Then go to Settings and sign out any devices you don’t recognize.',
      ],
    }),
    'account-deleted': () => ({
      subject: `Your ${productName} account was deleted`,
      preview: 'What’s deleted, and what others keep',
      title: 'Your account was deleted',
      lines: [
        'Your profile, messages, files and keys will be removed from our servers within 24 hours.',
        'People you messaged keep their copies of your messages.',
      ],
      notes: ['Thank you for being with us. You’re welcome back anytime.'],
    }),
    'use-google': () => ({
      subject: 'Sign in with Google',
      preview: 'Your account doesn’t have a password',
      title: 'Sign in with Google',
      lines: [
        `You asked to reset your password, but your ${productName} account doesn’t have one. Select “Continue with Google” on the sign-in page instead.`,
      ],
      button: 'Sign in',
      notes: ['Didn’t request this? Ignore this email. Nothing has changed.'],
    }),
    'recovery-key': ({ moment }) => ({
      subject: 'New recovery key created',
      preview: 'Your previous recovery key no longer works',
      title: 'New recovery key created',
      lines: ['Someone, probably you, created a new recovery key. The previous one no longer works.'],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: ['Wasn’t you? In Settings, create another recovery key, change your password and check your devices.'],
    }),
    'account-locked': ({ moment }) => ({
      subject: 'Your password reset was undone',
      preview: 'Your previous password works again',
      title: 'Your previous password is back',
      lines: [
        'Someone on one of your devices said they didn’t request the password reset. Your previous password works again, and devices that signed in with the new one were signed out.',
        'For the next 24 hours, your password can’t be reset by email.',
      ],
      facts: [['Time', moment]],
      button: 'View devices',
      notes: ['The person who requested the reset may have access to your email. Change your email password too.'],
    }),
    'fresh-start': ({ moment }) => ({
      subject: 'You started fresh',
      preview: 'Your earlier messages are kept for 30 days',
      title: 'You started fresh',
      lines: [
        'Someone, probably you, started fresh with new encryption keys. Your earlier messages will be deleted after 30 days.',
      ],
      facts: [['Time', moment]],
      button: 'View devices',
      notes: [
        'Wasn’t you? On a device that was signed in before, select “No, it wasn’t me” and enter your old password to restore everything.',
      ],
    }),
    'email-changed': ({ newAddress }) => ({
      subject: 'Your email address was changed',
      preview: 'Confirmed from both addresses',
      title: 'Your email address was changed',
      lines: [
        `Your ${productName} account now uses a new email address, confirmed from both addresses. We won’t email this one again.`,
      ],
      facts: [['New address', newAddress]],
      notes: ['Wasn’t you? Someone may have access to your inbox. Change the password for this email account now.'],
    }),
    'account-changed': ({ change, moment }) => ({
      subject: accountChangeTexts.en[change].title,
      preview: 'If this was you, you don’t need to do anything',
      title: accountChangeTexts.en[change].title,
      lines: [accountChangeTexts.en[change].line, 'If this was you, you don’t need to do anything.'],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: ['Wasn’t you? Change your password now and sign out any devices you don’t recognize.'],
    }),
    'service-changed': ({ change, moment }) => ({
      subject: appwriteChangeTexts.en[change].title,
      preview: 'If this was you, you don’t need to do anything',
      title: appwriteChangeTexts.en[change].title,
      lines: [appwriteChangeTexts.en[change].line, 'If this was you, you don’t need to do anything.'],
      facts: [['Time', moment]],
      notes: ['Wasn’t you? Choose a new password in the app now.'],
    }),
    'wrong-passwords': ({ moment }) => ({
      subject: `Wrong passwords for your ${productName} account`,
      preview: 'If this was you, you don’t need to do anything',
      title: 'Several wrong passwords',
      lines: [
        'Someone entered several wrong passwords for your account. If this was you, you don’t need to do anything.',
      ],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: [
        'Wasn’t you? Someone may be guessing your password. If it’s short or you use it elsewhere, change it.',
        'We send this email at most once a day.',
      ],
    }),
    'wrong-codes': ({ moment }) => ({
      subject: `Someone may know your ${productName} password`,
      preview: 'Several wrong codes at the second step',
      title: 'Several wrong codes',
      lines: [
        'Someone passed the first step of signing in to your account, with your password or Google, and then entered several wrong codes. If this was you, you don’t need to do anything.',
      ],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: [
        'Wasn’t you? Change your password now. If you sign in with Google, change that password too.',
        'We send this email at most once a day.',
      ],
    }),
    'service-wrong-passwords': ({ moment }) => ({
      subject: 'Wrong passwords for your app account',
      preview: 'If this was you, you don’t need to do anything',
      title: 'Several wrong passwords',
      lines: [
        'Someone entered several wrong passwords for your app account. If this was you, you don’t need to do anything.',
      ],
      facts: [['Time', moment]],
      notes: ['Wasn’t you? If your password is short or you use it elsewhere, choose a new one in the app.'],
    }),
    'service-wrong-codes': ({ moment }) => ({
      subject: 'Someone may know the password of your app account',
      preview: 'Several wrong codes at the second step',
      title: 'Several wrong codes',
      lines: [
        'Someone passed the first step of signing in to your app account and then entered several wrong codes. If this was you, you don’t need to do anything.',
      ],
      facts: [['Time', moment]],
      notes: ['Wasn’t you? Choose a new password in the app now.'],
    }),
    'service-sign-in': ({ device, moment }) => ({
      subject: 'New sign-in with an app',
      preview: `${device}, ${moment}`,
      title: 'New sign-in',
      lines: ['Someone just signed in to your account with an app. If it was you, you don’t need to do anything.'],
      facts: [
        ['Device', device],
        ['Time', moment],
      ],
      notes: ['Wasn’t you? Choose a new password now and sign out other devices.'],
    }),
    'service-verification': ({ lasts }) => ({
      subject: 'Confirm your email address',
      preview: 'It takes one click',
      title: 'Confirm your email address',
      lines: ['An app connected to your account wants to confirm that this email address is yours.'],
      button: 'Confirm email address',
      notes: [
        `The link expires in ${lasts} and works once.`,
        'Didn’t request this? Ignore this email and nothing will change.',
      ],
    }),
    'service-recovery': ({ lasts }) => ({
      subject: 'Reset your app password',
      preview: `The link expires in ${lasts}`,
      title: 'Reset your password',
      lines: ['We received a request to reset your app password. Choose a new one to sign in again.'],
      button: 'Reset password',
      notes: [
        `The link expires in ${lasts} and works once. Resetting your password signs out all other devices.`,
        'Didn’t request this? Ignore this email. Your password won’t change.',
      ],
    }),
  },
};
