import { describe, expect, it } from 'vitest';
import { parseS3Target } from './s3-target.ts';

const credentials = { accessKeyId: 'k', secretAccessKey: 's' };

describe('parseS3Target', () => {
  it.each([
    ['s3://docs', 'https://docs.s3.us-east-1.amazonaws.com/', ''],
    ['s3://docs/a/b/?region=eu-west-1', 'https://docs.s3.eu-west-1.amazonaws.com/', 'a/b/'],
    ['s3://my.docs?region=eu-west-1', 'https://s3.eu-west-1.amazonaws.com/my.docs/', ''],
    ['s3://docs?endpoint=http://minio:9000', 'http://minio:9000/docs/', ''],
    ['s3://docs?endpoint=https://x.example/storage/v1/s3', 'https://x.example/storage/v1/s3/docs/', ''],
    ['s3://docs?endpoint=https://fra1.example&style=virtual', 'https://docs.fra1.example/', ''],
    ['s3://docs?style=path', 'https://s3.us-east-1.amazonaws.com/docs/', ''],
  ])('%s', (text, url, prefix) => {
    const target = parseS3Target(text, credentials);
    expect([target.url.href, target.prefix, target.credentials]).toEqual([url, prefix, credentials]);
  });

  it('takes credentials from the address first', () => {
    const { credentials: found } = parseS3Target('s3://a%2Fb:c%2Bd%2F@docs', credentials);
    expect(found).toEqual({ accessKeyId: 'a/b', secretAccessKey: 'c+d/' });
  });
});
