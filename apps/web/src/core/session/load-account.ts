// Account management calls, each loaded at its first use: together they are larger than any page.
import type { AccountSettings } from '@dostar/client/account';
import type { DeviceChannel } from '@dostar/client/device-channel';
import type { Recovery } from '@dostar/client/recovery';
import type { AccountUnlock } from '@dostar/client/account-unlock';

export async function loadRecovery(): Promise<Recovery> {
  return (await import('./auth.ts')).openRecovery();
}

export async function loadUnlocking(): Promise<AccountUnlock> {
  return (await import('./auth.ts')).openUnlocking();
}

export async function loadDeviceTransfer(): Promise<DeviceChannel> {
  return (await import('./auth.ts')).openDeviceTransfer();
}

export async function loadAccountSettings(): Promise<AccountSettings> {
  return (await import('./auth.ts')).openAccountSettings();
}
