/** Copies the encoded packets of tracks into a new file, without track names, languages and other labels. */
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  type Output,
} from 'mediabunny';
import { UncleanableVideo } from './open-video.ts';

export interface CopiedTrack {
  first: EncodedPacket;
  packets: AsyncGenerator<EncodedPacket, void>;
  add(packet: EncodedPacket): Promise<void>;
  close(): void;
}

/** Copies from the first key frame: a video may start in the middle of a group of pictures. */
export async function addPictures(output: Output, track: InputVideoTrack): Promise<CopiedTrack> {
  const codec = await track.getCodec();
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstKeyPacket({ verifyKeyPackets: true });
  const decoderConfig = await track.getDecoderConfig();
  if (codec === null || first === null || decoderConfig === null) throw new UncleanableVideo();
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, {
    rotation: await track.getRotation(),
    flip: await track.getFlip(),
    ...(await countPackets(output, track)),
  });
  let latest = -Infinity;
  return {
    first,
    packets: sink.packets(first, undefined, { verifyKeyPackets: true }),
    async add(packet) {
      // The library refuses a key frame with an earlier timestamp than a previous frame, as some files have.
      const type = packet.timestamp < latest ? 'delta' : packet.type;
      latest = Math.max(latest, packet.timestamp);
      await source.add(packet.clone({ type }), { decoderConfig });
    },
    close: () => source.close(),
  };
}

/** Undefined if the track is empty. */
export async function addSound(output: Output, track: InputAudioTrack): Promise<CopiedTrack | undefined> {
  const codec = await track.getCodec();
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstPacket();
  if (first === null) return undefined;
  const decoderConfig = await track.getDecoderConfig();
  if (codec === null || decoderConfig === null) throw new UncleanableVideo();
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, await countPackets(output, track));
  let latest = -Infinity;
  return {
    first,
    packets: sink.packets(first),
    async add(packet) {
      if (packet.timestamp < latest) return;
      latest = packet.timestamp;
      await source.add(packet, { decoderConfig });
    },
    close: () => source.close(),
  };
}

/** The MP4 header is written last into reserved space, so its packet count must be known in advance. */
async function countPackets({ format }: Output, track: InputTrack): Promise<{ maximumPacketCount?: number }> {
  if (!(format instanceof Mp4OutputFormat)) return {};
  const { packetCount } = await track.computePacketStats();
  return { maximumPacketCount: packetCount };
}

/**
 * Copies the packets in timestamp order, shifted by `offset` seconds. The order lets a player start with picture and
 * sound before the whole file is loaded.
 */
export async function copyTracks(
  tracks: readonly CopiedTrack[],
  offset: number,
  onCopied: (seconds: number) => void,
): Promise<void> {
  const open = new Map<CopiedTrack, EncodedPacket>();
  const advance = async (track: CopiedTrack) => {
    const { value } = await track.packets.next();
    if (value) open.set(track, value);
    else {
      open.delete(track);
      track.close();
    }
  };
  for (const track of tracks) await advance(track);
  while (open.size > 0) {
    const [track, packet] = [...open].reduce((one, other) => (other[1].timestamp < one[1].timestamp ? other : one));
    const timestamp = packet.timestamp + offset;
    await track.add(packet.clone({ timestamp }));
    onCopied(timestamp + packet.duration);
    await advance(track);
  }
}
