import { productName } from '@dostar/protocol/product';
import { accountChangeTexts, appwriteChangeTexts } from './changes.ts';
import type { EmailTexts } from './text.ts';

export const en: EmailTexts = {
  linkHint: 'If the button does not work, open this address:',
  footer: 'This letter was sent by a machine; nobody reads replies to it.',
  emails: {
    code: ({ code, lasts }) => ({
      subject: `Your ${productName} sign-up code`,
      preview: `${code} is good for ${lasts}`,
      title: 'Welcome! Here is your code',
      lines: ['Enter it on the page where you began to sign up:'],
      notes: [
        `The code is good for ${lasts} and works once. Keep it to yourself: we never ask for it.`,
        'You did not sign up? Then leave this letter be: without the code nothing happens.',
      ],
    }),
    'sign-in-code': ({ code, lasts }) => ({
      subject: `Your ${productName} sign-in code`,
      preview: `${code} is good for ${lasts}`,
      title: 'Your sign-in code',
      lines: ['Enter it on the page where you are signing in:'],
      notes: [
        `The code is good for ${lasts} and works once. Keep it to yourself: we never ask for it.`,
        'You are not signing in? Then somebody knows your password: please change it in the settings.',
      ],
    }),
    'proof-code': ({ code, lasts }) => ({
      subject: `Your ${productName} code`,
      preview: `${code} is good for ${lasts}`,
      title: 'Is it you?',
      lines: ['Enter this code in the settings, where you are changing something important:'],
      notes: [
        `The code is good for ${lasts} and works once. Keep it to yourself: we never ask for it.`,
        'You are not changing anything? Then somebody is using your account: in the settings, sign out the devices you do not know.',
      ],
    }),
    'already-here': () => ({
      subject: `You already have a ${productName} account`,
      preview: 'Nothing has changed; you can simply sign in',
      title: 'You already have an account',
      lines: [
        'Somebody, probably you, tried to sign up with this address. It has an account already, so nothing has changed.',
      ],
      button: 'Sign in',
      notes: [
        'Forgot your password? You can choose a new one on the sign-in page.',
        'It was not you? Then there is nothing you need to do.',
      ],
    }),
    'verify-address': ({ lasts }) => ({
      subject: 'Please confirm your e-mail address',
      preview: 'One press of a button, and it is done',
      title: 'Is this your address?',
      lines: [`Confirm that this address belongs to you and your ${productName} account.`],
      button: 'Confirm address',
      notes: [
        `The link is good for ${lasts} and works once.`,
        'You did not ask for this? Then leave this letter be: nothing will be confirmed.',
      ],
    }),
    recovery: ({ lasts }) => ({
      subject: 'Choose a new password',
      preview: `The link is good for ${lasts}`,
      title: 'Forgot your password?',
      lines: ['It happens to everyone. Press the button and choose a new one.'],
      button: 'Choose a new password',
      notes: [
        `The link is good for ${lasts} and works once.`,
        'The new password lets you in. To open earlier messages you will also need one of these: a device where you are still signed in, your recovery key, a passkey or your old password.',
        'You did not ask for this? Then leave this letter be: your password stays as it is.',
      ],
    }),
    'sign-in-notice': ({ device, moment }) => ({
      subject: `New sign-in to your ${productName} account`,
      preview: `${device}, ${moment}`,
      title: 'A new sign-in',
      lines: ['Somebody has just signed in to your account. If it was you, all is well.'],
      facts: [
        ['Device', device],
        ['Time', moment],
      ],
      button: 'See my devices',
      notes: ['It was not you? Sign that device out in the settings and change your password straight away.'],
    }),
    'email-change-old': ({ newAddress, lasts }) => ({
      subject: 'Your e-mail address is about to change',
      preview: 'It needs your consent at this address too',
      title: 'A new address for your account',
      lines: [`You asked to change the e-mail address of your ${productName} account.`],
      facts: [['New address', newAddress]],
      button: 'Confirm the change',
      notes: [
        `The address changes once both the old and the new one have confirmed it. The link is good for ${lasts}.`,
        'You did not ask for this? Then do not press the button, and change your password: somebody may know it.',
      ],
    }),
    'email-change-new': ({ lasts }) => ({
      subject: 'Confirm your new e-mail address',
      preview: 'One press of a button, and it is yours',
      title: 'Your new address',
      lines: [`Press the button, and this becomes the address of your ${productName} account.`],
      button: 'Confirm new address',
      notes: [
        `The address changes once both the old and the new one have confirmed it. The link is good for ${lasts}.`,
        'You did not ask for this? Then leave this letter be: nothing will change.',
      ],
    }),
    'password-changed': ({ moment }) => ({
      subject: 'Your password has been changed',
      preview: 'If it was you, all is well',
      title: 'Your password has been changed',
      lines: [`The password of your ${productName} account is a new one now. If it was you, all is well.`],
      facts: [['Time', moment]],
      button: 'It was not me',
      notes: [
        'The button leads to a new password. Afterwards, look through your devices in the settings and sign out those you do not know.',
      ],
    }),
    'account-deleted': () => ({
      subject: `Your ${productName} account has been deleted`,
      preview: 'What goes, and what stays with others',
      title: 'Goodbye, and thank you',
      lines: [
        'Your account is deleted. Within 24 hours your profile, messages, files and keys will be gone from our servers.',
        'One thing stays: the people you wrote to keep their own copies of your messages.',
      ],
      notes: ['We were glad to have you here. Come back whenever you like.'],
    }),
    'use-google': () => ({
      subject: 'You sign in with Google',
      preview: 'This account has no password to forget',
      title: 'You sign in with Google',
      lines: [
        `You asked for a new password, but your ${productName} account has none: it opens with your Google account. Simply choose Google on the sign-in page.`,
      ],
      button: 'Sign in',
      notes: ['You did not ask for this? Then leave this letter be: nothing has changed.'],
    }),
    'recovery-key': ({ moment }) => ({
      subject: 'You have a new recovery key',
      preview: 'The one before no longer opens anything',
      title: 'A new recovery key',
      lines: ['Somebody, probably you, has made a new recovery key. The one before no longer opens anything.'],
      facts: [['Time', moment]],
      button: 'Open the settings',
      notes: ['It was not you? Make another one in the settings, change your password and look through your devices.'],
    }),
    'account-locked': ({ moment }) => ({
      subject: 'Your account is locked against the new password',
      preview: 'Your old password works again',
      title: 'Your old password is back',
      lines: [
        'On one of your devices somebody said that the new password was not theirs. So your old password works again, and the devices that came in with the new one are signed out.',
        'For 24 hours no letter will bring a new password.',
      ],
      facts: [['Time', moment]],
      button: 'See my devices',
      notes: ['Whoever asked for the new password can read your mail: please change the password of your mailbox too.'],
    }),
    'fresh-start': ({ moment }) => ({
      subject: 'Your messages begin anew',
      preview: 'What was there before is kept for 30 days',
      title: 'A fresh start',
      lines: [
        'Somebody, probably you, has started fresh: new messages from now on. Earlier ones are put away and will be deleted after 30 days.',
      ],
      facts: [['Time', moment]],
      button: 'See my devices',
      notes: [
        'It was not you? On a device where you were signed in before, choose “It was not me” and enter your old password: everything comes back.',
      ],
    }),
    'email-changed': ({ newAddress }) => ({
      subject: 'Your e-mail address has changed',
      preview: 'Both addresses have confirmed it',
      title: 'Your address has changed',
      lines: [
        `Both addresses have confirmed it: your ${productName} account has a new e-mail address. We will not write to this one again.`,
      ],
      facts: [['New address', newAddress]],
      notes: ['You did not want this? Then somebody can read your mail: please change the password of this mailbox.'],
    }),
    'account-changed': ({ change, moment }) => ({
      subject: accountChangeTexts.en[change].title,
      preview: 'If it was you, all is well',
      title: accountChangeTexts.en[change].title,
      lines: [accountChangeTexts.en[change].line, 'If it was you, all is well.'],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: ['It wasn’t you? Change your password straight away and sign out the devices you don’t know.'],
    }),
    'service-changed': ({ change, moment }) => ({
      subject: appwriteChangeTexts.en[change].title,
      preview: 'If it was you, all is well',
      title: appwriteChangeTexts.en[change].title,
      lines: [appwriteChangeTexts.en[change].line, 'If it was you, all is well.'],
      facts: [['Time', moment]],
      notes: ['It wasn’t you? Choose a new password in the app straight away.'],
    }),
    'wrong-passwords': ({ moment }) => ({
      subject: `Wrong passwords for your ${productName} account`,
      preview: 'If it was you, all is well',
      title: 'Several wrong passwords',
      lines: ['Someone entered several wrong passwords for your account. If it was you, all is well.'],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: [
        'It wasn’t you? Then someone may be guessing your password. If it is short or you use it elsewhere too, change it.',
        'We send this email at most once a day.',
      ],
    }),
    'wrong-codes': ({ moment }) => ({
      subject: `Someone may know your ${productName} password`,
      preview: 'Several wrong codes at the second step',
      title: 'Several wrong codes',
      lines: [
        'Someone passed the first step of signing in to your account, with your password or Google, and then entered several wrong codes. If it was you, all is well.',
      ],
      facts: [['Time', moment]],
      button: 'Open settings',
      notes: [
        'It wasn’t you? Change your password straight away. If you sign in with Google, change that password too.',
        'We send this email at most once a day.',
      ],
    }),
    'service-wrong-passwords': ({ moment }) => ({
      subject: 'Wrong passwords for your app account',
      preview: 'If it was you, all is well',
      title: 'Several wrong passwords',
      lines: ['Someone entered several wrong passwords for your app account. If it was you, all is well.'],
      facts: [['Time', moment]],
      notes: ['It wasn’t you? If your password is short or you use it elsewhere too, choose a new one in the app.'],
    }),
    'service-wrong-codes': ({ moment }) => ({
      subject: 'Someone may know the password of your app account',
      preview: 'Several wrong codes at the second step',
      title: 'Several wrong codes',
      lines: [
        'Someone passed the first step of signing in to your app account and then entered several wrong codes. If it was you, all is well.',
      ],
      facts: [['Time', moment]],
      notes: ['It wasn’t you? Choose a new password in the app straight away.'],
    }),
    'service-sign-in': ({ device, moment }) => ({
      subject: 'New sign-in with an app',
      preview: `${device}, ${moment}`,
      title: 'A new sign-in',
      lines: ['Someone has just signed in to your account with an app. If it was you, all is well.'],
      facts: [
        ['Device', device],
        ['Time', moment],
      ],
      notes: ['It wasn’t you? Choose a new password straight away and sign out other devices.'],
    }),
    'service-verification': ({ lasts }) => ({
      subject: 'Please confirm your e-mail address',
      preview: 'One press of a button, and it is done',
      title: 'Is this your address?',
      lines: ['An app that works with your account would like to know that this address is yours.'],
      button: 'Confirm address',
      notes: [
        `The link is good for ${lasts} and works once.`,
        'You did not ask for this? Then leave this letter be: nothing will be confirmed.',
      ],
    }),
    'service-recovery': ({ lasts }) => ({
      subject: 'Choose a new password for your app',
      preview: `The link is good for ${lasts}`,
      title: 'Forgot your password?',
      lines: ['It happens to everyone. Press the button and choose a new one.'],
      button: 'Choose a new password',
      notes: [
        `The link is good for ${lasts} and works once. The new password signs everybody else out.`,
        'You did not ask for this? Then leave this letter be: your password stays as it is.',
      ],
    }),
  },
};
