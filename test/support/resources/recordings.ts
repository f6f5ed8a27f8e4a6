/** A WAV file of 8,000 samples of 16 bits a second. @param seconds how long it is */
export function wavFile(seconds: number): Buffer {
  const [rate, sampleBytes] = [8_000, 2];
  const samples = Buffer.alloc(Math.round(seconds * rate) * sampleBytes, 1);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * sampleBytes, 28);
  head.writeUInt16LE(sampleBytes, 32);
  head.writeUInt16LE(8 * sampleBytes, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** A file that begins as an MP3 does. @param bytes how large it is */
export function mp3File(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 0x55);
  file.write('ID3', 0);
  return file;
}
