import type { VoiceReference } from '@dostar/protocol/content/media';
import { useMedia } from './use-media.ts';
import { VoicePlayer } from './voice-player.tsx';

export function VoiceBody({ voice }: { voice: VoiceReference }) {
  const { url, transfer, fetch, cancel } = useMedia(voice, { isWanted: false });
  return (
    <VoicePlayer
      durationMs={voice.durationMs}
      waveform={voice.waveform}
      url={url}
      transfer={transfer}
      onFetch={fetch}
      onCancel={cancel}
    />
  );
}
