import type { DeviceId } from '@dostar/protocol/ids';
import type { Mutex } from '../../lib/mutex.ts';
import type { Call } from '../../net/call.ts';
import type { KeyRingDeps } from '../key-ring-deps.ts';
import type { ArrivedKeys } from '../sealing/sealer.ts';
import type { Engine } from './engine.ts';
import type { KeyMetadataStore } from './key-metadata.ts';

export interface CryptoDeviceDeps extends KeyRingDeps {
  persist: () => Promise<void>;
  engine: Engine;
  keyMetadata: KeyMetadataStore;
  call: Call;
  mutex: Mutex;
  onKeys(arrived: ArrivedKeys): void;
  onChange(): void;
  onConflict(device: DeviceId): Promise<void>;
}
