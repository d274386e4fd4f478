/**
 * A mountain lake, computed pixel by pixel: rays marched over a height field, with sun, shadows, haze and reflections.
 */

type Vector = [number, number, number];

const SUN: Vector = normalize([-0.62, 0.5, -0.25]);
const EYE: Vector = [0.6, 3.3, -1];
const STEPS = 170;
const FAR = 90;

/** RGBA bytes, all pixels opaque. */
export function drawLandscape(width: number, height: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const right = (column + 0.5 - width / 2) / height;
      const up = (height / 2 - row - 0.5) / height;
      const color = expose(colorAlong(EYE, normalize([right, up - 0.06, 1.15]), true));
      const vignette = 1 - 0.22 * (right * right + up * up);
      const grain = (hash(column * 7, row * 13) - 0.5) * 5;
      const at = (row * width + column) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        pixels[at + channel] = (color[channel] ?? 0) * vignette * 255 + grain;
      }
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}

function colorAlong(from: Vector, ray: Vector, canReflect: boolean): Vector {
  const distance = march(from, ray);
  const sky = skyColor(ray);
  const water = ray[1] < 0 ? -from[1] / ray[1] : Infinity;
  if (canReflect && water < distance && water < FAR) {
    const at = along(from, ray, water);
    return haze(waterColor(at, ray), sky, water);
  }
  if (distance >= FAR) return sky;
  return haze(groundColor(along(from, ray, distance), distance), sky, distance);
}

/** Distance from the eye to the ground along a ray. */
function march(from: Vector, ray: Vector): number {
  let distance = 0.05;
  let before = 0;
  for (let step = 0; step < STEPS && distance < FAR; step += 1) {
    const gap = gapAt(from, ray, distance);
    if (gap < 0) return refine(from, ray, before, distance);
    before = distance;
    distance += Math.max(0.008 * distance, gap * 0.45);
    if (from[1] + ray[1] * distance > 16 && ray[1] > 0) return FAR;
  }
  return FAR;
}

/** Bisects between a point above the ground and one below it. */
function refine(from: Vector, ray: Vector, above: number, below: number): number {
  for (let half = 0; half < 7; half += 1) {
    const middle = (above + below) / 2;
    if (gapAt(from, ray, middle) < 0) below = middle;
    else above = middle;
  }
  return above;
}

function gapAt(from: Vector, ray: Vector, distance: number): number {
  const [x, y, z] = along(from, ray, distance);
  return y - heightAt(x, z, distance < 25 ? 8 : 7);
}

function heightAt(x: number, z: number, octaves: number): number {
  // The lake lies in a bowl that is open towards the eye.
  const shore = Math.hypot((x - 0.5) / 1.25, z - 11) - 7 + (noise(x * 0.35, z * 0.35) - 0.5) * 2.4;
  const rise = smooth(0, 19, shore);
  const bank = smooth(-0.4, 1.5, shore);
  const peaks = ridges(x * 0.062 + 3.7, z * 0.062 + 1.3, octaves) * 11.5;
  const hills = fbm(x * 0.3, z * 0.3, octaves) * 1.5;
  const nearRidge = z < 4 ? (4 - z) * 0.28 : 0;
  return -0.5 + bank * 0.62 + rise * (peaks * rise + hills) + nearRidge * bank + fbm(x * 2.1, z * 2.1, 3) * 0.14 * bank;
}

function groundColor([x, y, z]: Vector, distance: number): Vector {
  const normal = normalAt(x, z, 0.0018 * distance + 0.004);
  const flat = normal[1];
  const speckle = fbm(x * 5, z * 5, 4);
  const detail = fbm(x * 22, z * 22, 3);
  let color: Vector = mix([0.2, 0.18, 0.17], [0.4, 0.36, 0.33], speckle);
  // Meadows below, forest where the slope is gentle, snow where it can lie.
  const meadow = mix([0.13, 0.17, 0.05], [0.33, 0.3, 0.11], fbm(x * 1.7 + 9, z * 1.7, 4) * 0.7 + detail * 0.4);
  color = mix(color, meadow, smooth(0.66, 0.8, flat) * (1 - smooth(1.6, 3.4, y)));
  const trees = smooth(0.4, 0.5, fbm(x * 0.9 + 4, z * 0.9 + 8, 5)) * smooth(0.5, 0.68, flat) * smooth(0.25, 0.6, y);
  const crown = mix([0.035, 0.085, 0.05], [0.1, 0.17, 0.075], fbm(x * 14, z * 14, 2));
  color = mix(color, crown, trees * (1 - smooth(2.2, 3.6, y)) * 0.95);
  const snowline = 4.3 + speckle * 1.8;
  color = mix(color, [0.93, 0.95, 1], smooth(snowline, snowline + 1.1, y) * smooth(0.42, 0.62, flat + detail * 0.12));
  if (y < 0.18) color = mix([0.5, 0.46, 0.38], color, smooth(0.04, 0.18, y));
  const light = Math.max(0, dot(normal, SUN)) * shadowAt([x, y + 0.03, z]);
  const ambient = 0.5 + 0.5 * flat;
  return [
    color[0] * (light * 1.75 + ambient * 0.24),
    color[1] * (light * 1.62 + ambient * 0.28),
    color[2] * (light * 1.4 + ambient * 0.38),
  ];
}

function waterColor([x, , z]: Vector, ray: Vector): Vector {
  const strength = 0.012;
  const normal = normalize([
    (noise(x * 7, z * 2.6) - 0.5) * strength * 2 + (noise(x * 19, z * 8) - 0.5) * strength,
    1,
    (noise(x * 6 + 40, z * 3.1) - 0.5) * strength * 2,
  ]);
  const facing = -dot(ray, normal);
  const mirrored: Vector = normalize([
    ray[0] + 2 * facing * normal[0],
    Math.abs(ray[1] + 2 * facing * normal[1]),
    ray[2] + 2 * facing * normal[2],
  ]);
  const reflection = colorAlong([x, 0.01, z], mirrored, false);
  const fresnel = 0.06 + 0.94 * (1 - facing) ** 4;
  const depth = smooth(-0.02, -0.5, heightAt(x, z, 3));
  const body = mix([0.28, 0.5, 0.44], [0.015, 0.26, 0.32], depth);
  const patches = 0.92 + 0.16 * fbm(x * 0.5, z * 0.22, 3);
  return mix([body[0] * patches, body[1] * patches, body[2] * patches], reflection, Math.min(0.85, fresnel));
}

function skyColor(ray: Vector): Vector {
  const up = Math.max(0, ray[1]);
  let color = mix([0.74, 0.84, 0.93], [0.16, 0.4, 0.75], smooth(0, 0.55, up));
  const glow = Math.max(0, dot(ray, normalize([-0.5, 0.22, 0.6])));
  color = mix(color, [1, 0.93, 0.8], 0.35 * glow ** 6);
  const [x, z] = [ray[0] / (up + 0.16), ray[2] / (up + 0.16)];
  const cover = smooth(0.5, 0.8, fbm(x * 0.9 + 2.2, z * 0.75 + 5, 6));
  const shade = 0.86 + 0.14 * fbm(x * 2.4, z * 2.4, 4);
  return mix(color, [shade, shade, shade * 1.01], cover * 0.85 * smooth(0.02, 0.14, up));
}

function haze(color: Vector, sky: Vector, distance: number): Vector {
  return mix(color, mix(sky, [0.66, 0.77, 0.89], 0.6), 1 - Math.exp(-((distance / 78) ** 1.6)));
}

function shadowAt(from: Vector): number {
  let open = 1;
  for (let distance = 0.06; distance < 14; distance *= 1.28) {
    const [x, y, z] = along(from, SUN, distance);
    open = Math.min(open, (9 * (y - heightAt(x, z, 4))) / distance);
    if (open <= 0) return 0;
  }
  return Math.min(1, open);
}

function normalAt(x: number, z: number, step: number): Vector {
  return normalize([
    heightAt(x - step, z, 8) - heightAt(x + step, z, 8),
    2 * step,
    heightAt(x, z - step, 8) - heightAt(x, z + step, 8),
  ]);
}

function expose(color: Vector): Vector {
  return color.map((part) => {
    const bright = 1 - Math.exp(-1.7 * Math.max(0, part));
    // A tone curve as of a camera: deeper shadows and brighter lights.
    return Math.min(1, smooth(-0.06, 1.02, bright ** 0.86) * 1.06);
  }) as Vector;
}

/** Sharp crests: noise folded at its middle. */
function ridges(x: number, z: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let crest = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    const folded = 1 - Math.abs(2 * noise(x, z) - 1);
    const sharp = folded * folded;
    sum += weight * sharp * crest;
    crest = Math.min(1, sharp * 1.4);
    weight *= 0.5;
    [x, z] = [1.6 * x + 1.2 * z + 5.3, 1.6 * z - 1.2 * x + 1.7];
  }
  return sum;
}

function fbm(x: number, z: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += weight * noise(x, z);
    weight *= 0.5;
    [x, z] = [1.6 * x + 1.2 * z + 3.1, 1.6 * z - 1.2 * x + 7.9];
  }
  return sum;
}

/** Smooth pseudorandom values between 0 and 1. */
function noise(x: number, z: number): number {
  const [left, front] = [Math.floor(x), Math.floor(z)];
  const [u, v] = [fade(x - left), fade(z - front)];
  const near = hash(left, front) * (1 - u) + hash(left + 1, front) * u;
  const away = hash(left, front + 1) * (1 - u) + hash(left + 1, front + 1) * u;
  return near * (1 - v) + away * v;
}

function hash(x: number, z: number): number {
  let bits = Math.imul(x, 374_761_393) + Math.imul(z, 668_265_263);
  bits = Math.imul(bits ^ (bits >>> 13), 1_274_126_177);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

function smooth(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function mix(one: Vector, other: Vector, share: number): Vector {
  return [
    one[0] + (other[0] - one[0]) * share,
    one[1] + (other[1] - one[1]) * share,
    one[2] + (other[2] - one[2]) * share,
  ];
}

function along(from: Vector, ray: Vector, distance: number): Vector {
  return [from[0] + ray[0] * distance, from[1] + ray[1] * distance, from[2] + ray[2] * distance];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function normalize(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
