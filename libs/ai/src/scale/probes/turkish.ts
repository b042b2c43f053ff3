import type { ProbePair } from './probe-pair.js';

export const TURKISH: readonly ProbePair[] = [
  [
    'Hafta sonu kaça kadar girebilirim?',
    'Cumartesi ve pazar günleri son ziyaretçiler dört buçukta alınır; kapılar beşi çeyrek geçe kilitlenir.',
  ],
  [
    'Küçük oğlum için para vermem gerekiyor mu?',
    'Altı yaşından küçük çocuklara giriş ücretsizdir. Öğrenciler kartlarını gösterince indirimli tarifeden yararlanır.',
  ],
  [
    'İçeride fotoğraf çekebilir miyim?',
    'Özel kullanım için görüntü almak flaşsız serbesttir. Üçayak için yönetimin yazılı izni gerekir.',
  ],
  [
    'Sırt çantamı nereye koyayım?',
    'Çantalar ve şemsiyeler girişin yanındaki dolaplara bırakılmalıdır; bir avroluk madeni para geri verilir.',
  ],
  [
    'Annem merdiven çıkamıyor, yukarıya nasıl ulaşır?',
    'Bir asansör bütün katları birbirine bağlar. Gişede tekerlekli sandalyeler bedelsiz ödünç verilir.',
  ],
  ['Yiyecek bir şey var mı?', 'Avludaki kafe saat dörde kadar çorba, sandviç ve kek sunar.'],
  [
    'Boş vaktim var, yardım etmek isterim',
    'Rehberli turlar veya arşiv için gönüllüler büroya yazılı başvurur; ön bilgi aranmaz.',
  ],
  [
    'Çocuğum bir şey devirirse kim öder?',
    'Ziyaretçiler sergilenen eserlere verdikleri zarardan sorumludur. Reşit olmayanlardan ebeveynleri sorumludur.',
  ],
  [
    'Sizde doğum günü kutlayabilir miyiz?',
    'Atölye salonunu on beş kişiye kadar gruplar kiralayabilir; kira üç saat için 60 avrodur.',
  ],
  ['Arabasız oraya nasıl gelirim?', '4 numaralı tramvay binanın önünde durur. İstasyondan yürüyerek on dakikadır.'],
  [
    'Hastalandım ve derse gidemedim, param yandı mı?',
    'Kurs ücretleri doktor raporu sunulduğunda iade edilir; aksi takdirde yerine biri gösterilebilir.',
  ],
  ['Çok kızgınım, beni kim dinler?', 'Şikâyetleri müdür yardımcısı alır ve iki hafta içinde yanıtlar.'],
];
