import { type CodePointSet, codePointSet } from './code-point-set.ts';

/**
 * Blocks of Unicode 14 (Blocks.txt), names without spaces, each with its first and last code point.
 */
const BLOCKS = [
  'BasicLatin 0 007F;Latin-1Supplement 80 00FF;LatinExtended-A 100 017F;LatinExtended-B 180 024F',
  'IPAExtensions 250 02AF;SpacingModifierLetters 2B0 02FF;CombiningDiacriticalMarks 300 036F',
  'GreekandCoptic 370 03FF;Cyrillic 400 04FF;CyrillicSupplement 500 052F;Armenian 530 058F;Hebrew 590 05FF',
  'Arabic 600 06FF;Syriac 700 074F;ArabicSupplement 750 077F;Thaana 780 07BF;NKo 7C0 07FF;Samaritan 800 083F',
  'Mandaic 840 085F;SyriacSupplement 860 086F;ArabicExtended-B 870 089F;ArabicExtended-A 8A0 08FF',
  'Devanagari 900 097F;Bengali 980 09FF;Gurmukhi A00 0A7F;Gujarati A80 0AFF;Oriya B00 0B7F;Tamil B80 0BFF',
  'Telugu C00 0C7F;Kannada C80 0CFF;Malayalam D00 0D7F;Sinhala D80 0DFF;Thai E00 0E7F;Lao E80 0EFF',
  'Tibetan F00 0FFF;Myanmar 1000 109F;Georgian 10A0 10FF;HangulJamo 1100 11FF;Ethiopic 1200 137F',
  'EthiopicSupplement 1380 139F;Cherokee 13A0 13FF;UnifiedCanadianAboriginalSyllabics 1400 167F;Ogham 1680 169F',
  'Runic 16A0 16FF;Tagalog 1700 171F;Hanunoo 1720 173F;Buhid 1740 175F;Tagbanwa 1760 177F;Khmer 1780 17FF',
  'Mongolian 1800 18AF;UnifiedCanadianAboriginalSyllabicsExtended 18B0 18FF;Limbu 1900 194F;TaiLe 1950 197F',
  'NewTaiLue 1980 19DF;KhmerSymbols 19E0 19FF;Buginese 1A00 1A1F;TaiTham 1A20 1AAF',
  'CombiningDiacriticalMarksExtended 1AB0 1AFF;Balinese 1B00 1B7F;Sundanese 1B80 1BBF;Batak 1BC0 1BFF',
  'Lepcha 1C00 1C4F;OlChiki 1C50 1C7F;CyrillicExtended-C 1C80 1C8F;GeorgianExtended 1C90 1CBF',
  'SundaneseSupplement 1CC0 1CCF;VedicExtensions 1CD0 1CFF;PhoneticExtensions 1D00 1D7F',
  'PhoneticExtensionsSupplement 1D80 1DBF;CombiningDiacriticalMarksSupplement 1DC0 1DFF',
  'LatinExtendedAdditional 1E00 1EFF;GreekExtended 1F00 1FFF;GeneralPunctuation 2000 206F',
  'SuperscriptsandSubscripts 2070 209F;CurrencySymbols 20A0 20CF;CombiningDiacriticalMarksforSymbols 20D0 20FF',
  'LetterlikeSymbols 2100 214F;NumberForms 2150 218F;Arrows 2190 21FF;MathematicalOperators 2200 22FF',
  'MiscellaneousTechnical 2300 23FF;ControlPictures 2400 243F;OpticalCharacterRecognition 2440 245F',
  'EnclosedAlphanumerics 2460 24FF;BoxDrawing 2500 257F;BlockElements 2580 259F;GeometricShapes 25A0 25FF',
  'MiscellaneousSymbols 2600 26FF;Dingbats 2700 27BF;MiscellaneousMathematicalSymbols-A 27C0 27EF',
  'SupplementalArrows-A 27F0 27FF;BraillePatterns 2800 28FF;SupplementalArrows-B 2900 297F',
  'MiscellaneousMathematicalSymbols-B 2980 29FF;SupplementalMathematicalOperators 2A00 2AFF',
  'MiscellaneousSymbolsandArrows 2B00 2BFF;Glagolitic 2C00 2C5F;LatinExtended-C 2C60 2C7F;Coptic 2C80 2CFF',
  'GeorgianSupplement 2D00 2D2F;Tifinagh 2D30 2D7F;EthiopicExtended 2D80 2DDF;CyrillicExtended-A 2DE0 2DFF',
  'SupplementalPunctuation 2E00 2E7F;CJKRadicalsSupplement 2E80 2EFF;KangxiRadicals 2F00 2FDF',
  'IdeographicDescriptionCharacters 2FF0 2FFF;CJKSymbolsandPunctuation 3000 303F;Hiragana 3040 309F',
  'Katakana 30A0 30FF;Bopomofo 3100 312F;HangulCompatibilityJamo 3130 318F;Kanbun 3190 319F',
  'BopomofoExtended 31A0 31BF;CJKStrokes 31C0 31EF;KatakanaPhoneticExtensions 31F0 31FF',
  'EnclosedCJKLettersandMonths 3200 32FF;CJKCompatibility 3300 33FF;CJKUnifiedIdeographsExtensionA 3400 4DBF',
  'YijingHexagramSymbols 4DC0 4DFF;CJKUnifiedIdeographs 4E00 9FFF;YiSyllables A000 A48F;YiRadicals A490 A4CF',
  'Lisu A4D0 A4FF;Vai A500 A63F;CyrillicExtended-B A640 A69F;Bamum A6A0 A6FF;ModifierToneLetters A700 A71F',
  'LatinExtended-D A720 A7FF;SylotiNagri A800 A82F;CommonIndicNumberForms A830 A83F;Phags-pa A840 A87F',
  'Saurashtra A880 A8DF;DevanagariExtended A8E0 A8FF;KayahLi A900 A92F;Rejang A930 A95F',
  'HangulJamoExtended-A A960 A97F;Javanese A980 A9DF;MyanmarExtended-B A9E0 A9FF;Cham AA00 AA5F',
  'MyanmarExtended-A AA60 AA7F;TaiViet AA80 AADF;MeeteiMayekExtensions AAE0 AAFF;EthiopicExtended-A AB00 AB2F',
  'LatinExtended-E AB30 AB6F;CherokeeSupplement AB70 ABBF;MeeteiMayek ABC0 ABFF;HangulSyllables AC00 D7AF',
  'HangulJamoExtended-B D7B0 D7FF;HighSurrogates D800 DB7F;HighPrivateUseSurrogates DB80 DBFF',
  'LowSurrogates DC00 DFFF;PrivateUseArea E000 F8FF;CJKCompatibilityIdeographs F900 FAFF',
  'AlphabeticPresentationForms FB00 FB4F;ArabicPresentationForms-A FB50 FDFF;VariationSelectors FE00 FE0F',
  'VerticalForms FE10 FE1F;CombiningHalfMarks FE20 FE2F;CJKCompatibilityForms FE30 FE4F',
  'SmallFormVariants FE50 FE6F;ArabicPresentationForms-B FE70 FEFF;HalfwidthandFullwidthForms FF00 FFEF',
  'Specials FFF0 FFFF;LinearBSyllabary 10000 1007F;LinearBIdeograms 10080 100FF;AegeanNumbers 10100 1013F',
  'AncientGreekNumbers 10140 1018F;AncientSymbols 10190 101CF;PhaistosDisc 101D0 101FF;Lycian 10280 1029F',
  'Carian 102A0 102DF;CopticEpactNumbers 102E0 102FF;OldItalic 10300 1032F;Gothic 10330 1034F',
  'OldPermic 10350 1037F;Ugaritic 10380 1039F;OldPersian 103A0 103DF;Deseret 10400 1044F;Shavian 10450 1047F',
  'Osmanya 10480 104AF;Osage 104B0 104FF;Elbasan 10500 1052F;CaucasianAlbanian 10530 1056F;Vithkuqi 10570 105BF',
  'LinearA 10600 1077F;LatinExtended-F 10780 107BF;CypriotSyllabary 10800 1083F;ImperialAramaic 10840 1085F',
  'Palmyrene 10860 1087F;Nabataean 10880 108AF;Hatran 108E0 108FF;Phoenician 10900 1091F;Lydian 10920 1093F',
  'MeroiticHieroglyphs 10980 1099F;MeroiticCursive 109A0 109FF;Kharoshthi 10A00 10A5F;OldSouthArabian 10A60 10A7F',
  'OldNorthArabian 10A80 10A9F;Manichaean 10AC0 10AFF;Avestan 10B00 10B3F;InscriptionalParthian 10B40 10B5F',
  'InscriptionalPahlavi 10B60 10B7F;PsalterPahlavi 10B80 10BAF;OldTurkic 10C00 10C4F;OldHungarian 10C80 10CFF',
  'HanifiRohingya 10D00 10D3F;RumiNumeralSymbols 10E60 10E7F;Yezidi 10E80 10EBF;OldSogdian 10F00 10F2F',
  'Sogdian 10F30 10F6F;OldUyghur 10F70 10FAF;Chorasmian 10FB0 10FDF;Elymaic 10FE0 10FFF;Brahmi 11000 1107F',
  'Kaithi 11080 110CF;SoraSompeng 110D0 110FF;Chakma 11100 1114F;Mahajani 11150 1117F;Sharada 11180 111DF',
  'SinhalaArchaicNumbers 111E0 111FF;Khojki 11200 1124F;Multani 11280 112AF;Khudawadi 112B0 112FF',
  'Grantha 11300 1137F;Newa 11400 1147F;Tirhuta 11480 114DF;Siddham 11580 115FF;Modi 11600 1165F',
  'MongolianSupplement 11660 1167F;Takri 11680 116CF;Ahom 11700 1174F;Dogra 11800 1184F;WarangCiti 118A0 118FF',
  'DivesAkuru 11900 1195F;Nandinagari 119A0 119FF;ZanabazarSquare 11A00 11A4F;Soyombo 11A50 11AAF',
  'UnifiedCanadianAboriginalSyllabicsExtended-A 11AB0 11ABF;PauCinHau 11AC0 11AFF;Bhaiksuki 11C00 11C6F',
  'Marchen 11C70 11CBF;MasaramGondi 11D00 11D5F;GunjalaGondi 11D60 11DAF;Makasar 11EE0 11EFF',
  'LisuSupplement 11FB0 11FBF;TamilSupplement 11FC0 11FFF;Cuneiform 12000 123FF',
  'CuneiformNumbersandPunctuation 12400 1247F;EarlyDynasticCuneiform 12480 1254F;Cypro-Minoan 12F90 12FFF',
  'EgyptianHieroglyphs 13000 1342F;EgyptianHieroglyphFormatControls 13430 1343F;AnatolianHieroglyphs 14400 1467F',
  'BamumSupplement 16800 16A3F;Mro 16A40 16A6F;Tangsa 16A70 16ACF;BassaVah 16AD0 16AFF;PahawhHmong 16B00 16B8F',
  'Medefaidrin 16E40 16E9F;Miao 16F00 16F9F;IdeographicSymbolsandPunctuation 16FE0 16FFF;Tangut 17000 187FF',
  'TangutComponents 18800 18AFF;KhitanSmallScript 18B00 18CFF;TangutSupplement 18D00 18D7F',
  'KanaExtended-B 1AFF0 1AFFF;KanaSupplement 1B000 1B0FF;KanaExtended-A 1B100 1B12F',
  'SmallKanaExtension 1B130 1B16F;Nushu 1B170 1B2FF;Duployan 1BC00 1BC9F;ShorthandFormatControls 1BCA0 1BCAF',
  'ZnamennyMusicalNotation 1CF00 1CFCF;ByzantineMusicalSymbols 1D000 1D0FF;MusicalSymbols 1D100 1D1FF',
  'AncientGreekMusicalNotation 1D200 1D24F;MayanNumerals 1D2E0 1D2FF;TaiXuanJingSymbols 1D300 1D35F',
  'CountingRodNumerals 1D360 1D37F;MathematicalAlphanumericSymbols 1D400 1D7FF;SuttonSignWriting 1D800 1DAAF',
  'LatinExtended-G 1DF00 1DFFF;GlagoliticSupplement 1E000 1E02F;NyiakengPuachueHmong 1E100 1E14F;Toto 1E290 1E2BF',
  'Wancho 1E2C0 1E2FF;EthiopicExtended-B 1E7E0 1E7FF;MendeKikakui 1E800 1E8DF;Adlam 1E900 1E95F',
  'IndicSiyaqNumbers 1EC70 1ECBF;OttomanSiyaqNumbers 1ED00 1ED4F;ArabicMathematicalAlphabeticSymbols 1EE00 1EEFF',
  'MahjongTiles 1F000 1F02F;DominoTiles 1F030 1F09F;PlayingCards 1F0A0 1F0FF',
  'EnclosedAlphanumericSupplement 1F100 1F1FF;EnclosedIdeographicSupplement 1F200 1F2FF',
  'MiscellaneousSymbolsandPictographs 1F300 1F5FF;Emoticons 1F600 1F64F;OrnamentalDingbats 1F650 1F67F',
  'TransportandMapSymbols 1F680 1F6FF;AlchemicalSymbols 1F700 1F77F;GeometricShapesExtended 1F780 1F7FF',
  'SupplementalArrows-C 1F800 1F8FF;SupplementalSymbolsandPictographs 1F900 1F9FF;ChessSymbols 1FA00 1FA6F',
  'SymbolsandPictographsExtended-A 1FA70 1FAFF;SymbolsforLegacyComputing 1FB00 1FBFF',
  'CJKUnifiedIdeographsExtensionB 20000 2A6DF;CJKUnifiedIdeographsExtensionC 2A700 2B73F',
  'CJKUnifiedIdeographsExtensionD 2B740 2B81F;CJKUnifiedIdeographsExtensionE 2B820 2CEAF',
  'CJKUnifiedIdeographsExtensionF 2CEB0 2EBEF;CJKCompatibilityIdeographsSupplement 2F800 2FA1F',
  'CJKUnifiedIdeographsExtensionG 30000 3134F;Tags E0000 E007F;VariationSelectorsSupplement E0100 E01EF',
  'SupplementaryPrivateUseArea-A F0000 FFFFF;SupplementaryPrivateUseArea-B 100000 10FFFF',
].join(';');

/** Names of XSD 1.0 part 2, F.1.1 that Unicode has abandoned; kept for old patterns. */
const OLD_NAMES: readonly (readonly [old: string, now: string])[] = [
  ['Greek', 'GreekandCoptic'],
  ['CombiningMarksforSymbols', 'CombiningDiacriticalMarksforSymbols'],
  ['PrivateUse', 'PrivateUseArea'],
];

let table: Map<string, CodePointSet> | undefined;

function readTable(): Map<string, CodePointSet> {
  const sets = new Map(
    BLOCKS.split(';').map((entry): [string, CodePointSet] => {
      const [name, first, last] = entry.split(' ') as [string, string, string];
      return [name, codePointSet([[Number.parseInt(first, 16), Number.parseInt(last, 16)]])];
    }),
  );
  for (const [old, now] of OLD_NAMES) sets.set(old, sets.get(now)!);
  return sets;
}

/** Returns the block of `\p{IsBasicLatin}`, named without `Is`; undefined if unknown. */
export function unicodeBlock(name: string): CodePointSet | undefined {
  table ??= readTable();
  return table.get(name);
}
