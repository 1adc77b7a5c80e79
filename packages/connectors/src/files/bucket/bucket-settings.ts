import type { Json } from '../../json.ts';
import type { S3Settings } from '../../s3/settings.ts';
import { wrongSettings } from '../file-failure.ts';
import { settingText } from '../setting-text.ts';

/** The bucket and the prefix that the setting `folder` names, such as `s3://exports/old-erp`. @throws SystemError */
export function bucketSettings(settings: Readonly<Record<string, Json>>): S3Settings {
  const text = (name: string) => settingText(settings, name);
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(text('folder')) ?? [];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw wrongSettings('The folder must be s3://bucket/prefix');
  const [accessKeyId, secretAccessKey] = [text('accessKeyId'), text('secretAccessKey')];
  if (accessKeyId === '' || secretAccessKey === '')
    throw wrongSettings('A folder in a bucket needs the settings accessKeyId and secretAccessKey');
  const region = text('region') || 'us-east-1';
  if (!isRegion(region)) throw wrongSettings('The setting region must be the name of a region, such as eu-central-1');
  const prefix = path.replaceAll(/^\/+|\/+$/g, '');
  const sessionToken = text('sessionToken');
  return {
    ...{ endpoint: endpointOf(text('endpoint') || `https://s3.${region}.amazonaws.com`), bucket, region },
    ...{ prefix: prefix === '' ? '' : `${prefix}/`, accessKeyId, secretAccessKey },
    ...(sessionToken !== '' && { sessionToken }),
  };
}

/** Whether a text can be the name of a region. It becomes part of a host name. */
export function isRegion(text: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(text);
}

function endpointOf(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '')
    return url;
  throw wrongSettings(
    'The setting endpoint must be an http(s) address without credentials, such as https://s3.example.com',
  );
}
