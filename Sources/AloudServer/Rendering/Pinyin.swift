/// Numbered pinyin for espeak-ng, which spells Chinese characters as English letters otherwise.
///
/// Only the characters of the phrase book, of numbers, times and currencies: a text with any other is not said by this engine
/// at all, rather than in part. (Names and free text need another engine.)
enum Pinyin {
  /// `wei1 xin4 shou1 kuan3, er4 shi2 …`; nil when a character has no entry.
  static func numbered(_ text: String) -> String? {
    var syllables = ""
    for character in text {
      if let sound = table[character] {
        if let last = syllables.last, last != " " { syllables += " " }
        syllables += sound
      } else if "，,。、；".contains(character) {
        syllables += ","
      } else if character != " " {
        return nil
      }
    }
    return syllables
  }

  private static let table: [Character: String] = {
    var table: [Character: String] = [:]
    for line in [numbers, phrases, places] {
      let parts = line.split(whereSeparator: { $0 == " " || $0 == "\n" })
      for start in stride(from: 0, to: parts.count - 1, by: 2) {
        for character in parts[start] { table[character] = String(parts[start + 1]) }
      }
    }
    return table
  }()

  // A character, or the two forms of one, and its syllable.
  private static let numbers = """
    零〇 ling2 一 yi1 二 er4 两兩 liang3 三 san1 四 si4 五 wu3 六 liu4 七 qi1 八 ba1 九 jiu3 十 shi2 百 bai3 千 qian1 万萬 wan4
    亿億 yi4 兆 zhao4 点點 dian3 元 yuan2 圆圓圜 yuan2 角 jiao3 分 fen1 毫 hao2 负負 fu4 整 zheng3 幺 yao1 半 ban4 刻 ke4
    第 di4 之 zhi1 年 nian2 月 yue4 日 ri4 号號 hao4 时時 shi2 秒 miao3 钟鐘 zhong1 上 shang4 中 zhong1 下 xia4 午 wu3 早 zao3
    晨 chen2 晚 wan3 夜 ye4 凌 ling2 清 qing1 周週 zhou1 星 xing1 期 qi1 天 tian1 小 xiao3 間间 jian1 共 gong4 全 quan2
    """

  private static let phrases = """
    收 shou1 到 dao4 笔筆 bi3 付 fu4 款 kuan3 退 tui4 您 nin2 有 you3 新 xin1 的 de5 订訂 ding4 单單 dan1 提 ti2 交 jiao1
    了 le5 申 shen1 请請 qing3 床 chuang2 呼 hu1 叫 jiao4 人 ren2 醒 xing3 现現 xian4 在 zai4 是 shi4 个個 ge4 条條 tiao2
    则則 ze2 消 xiao1 息 xi1 訊 xun4 离離 li2 线線 xian4 批 pi1 审審 shen3 报報 bao4 微 wei1 信 xin4 支 zhi1 宝寶 bao3
    云 yun2 闪閃 shan3 美 mei3 团團 tuan2 饿餓 e4 么麼 me5 抖 dou3 音 yin1 京 jing1 东東 dong1 街 jie1 口 kou3 悠 you1 遊游 you2
    """

  private static let places = """
    丁 ding1 丹 dan1 亚亞 ya4 令 ling4 以 yi3 伊 yi1 伦倫 lun2 來来 lai2 便 pian2 先 xian1 克 ke4 兰蘭 lan2 其 qi2 典 dian3
    列 lie4 利 li4 加 jia1 匈 xiong1 南 nan2 卡 ka3 卢盧 lu2 印 yin4 及 ji2 台臺 tai2 吉 ji2 哈 ha1 哥 ge1 土 tu3 地 di4
    坚堅 jian1 坡 po1 坦 tan3 埃 ai1 基 ji1 塔 ta3 墨 mo4 士 shi4 夫 fu1 奈 nai4 姆 mu3 威 wei1 孟 meng4 宾賓 bin1 尔爾 er3
    尼 ni2 巴 ba1 币幣 bi4 布 bu4 度 du4 廷 ting2 当當 dang1 律 lü4 戈 ge1 披 pi1 拉 la1 挪 nuo2 捷 jie2 摩 mo2 斯 si1 旦 dan4
    智 zhi4 曼 man4 朗 lang3 林 lin2 根 gen1 格 ge2 欧歐 ou1 比 bi3 民 min2 沙 sha1 法 fa3 波 bo1 泰 tai4 洛 luo4 派 pai4
    港 gang3 澳 ao4 烏乌 wu1 牙 ya2 特 te4 瑞 rui4 生 sheng1 盾 dun4 祕秘 bi4 福 fu2 科 ke1 約约 yue1 納纳 na4 紐纽 niu3
    索 suo3 罗羅 luo2 耳 er3 联聯 lian2 肯 ken3 色 se4 英 ying1 茲兹 zi1 菲 fei1 萨薩 sa4 蚊 wen2 西 xi1 謝谢 xie4 費费 fei4
    越 yue4 迪 di2 達达 da2 郎 lang2 酋 qiu2 里 li3 銖铢 zhu1 鎊镑 bang4 門门 men2 阿 a1 雷 lei2 非 fei1 韓韩 han2 馬马 ma3
    魯鲁 lu3 麥麦 mai4
    """
}
